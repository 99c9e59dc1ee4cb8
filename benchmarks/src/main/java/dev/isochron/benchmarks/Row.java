package dev.isochron.benchmarks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Cells that are compared with each other and so measured in turn, close together in time.
 *
 * @param title what they have in common
 * @param comparison what the ratio of a cell is
 * @param cells one for each engine
 */
record Row(String title, Comparison comparison, List<Cell> cells) {

    /**
     * One thing to measure.
     *
     * @param name its name in the row, unique there
     * @param method the benchmark, class and method
     * @param parameters the benchmark's parameters
     * @param bytes how many bytes one call handles, 0 if the speed in bytes says nothing
     */
    record Cell(String name, String method, Map<String, String> parameters, int bytes) {

        boolean withoutIntrinsics() {
            return name.equals(Subject.JDK_NO_INTRINSICS);
        }
    }

    /** How a cell stands to others of its row. Times are in ns by the cell's name. */
    enum Comparison {

        /** How many times as fast as Bouncy Castle. */
        TO_BOUNCY_CASTLE("x BC") {
            @Override
            Double ratio(String name, Map<String, Double> times) {
                Double base = times.get(Subject.BOUNCY_CASTLE);
                return base == null ? null : base / times.get(name);
            }
        },

        /** How many times as fast as the better of the hybrid's two halves. */
        TO_BETTER_HALF("x better half") {
            @Override
            Double ratio(String name, Map<String, Double> times) {
                Double single = times.get(PERMUTE);
                Double bulk = times.get(BITSLICED);
                return single == null || bulk == null
                        ? null
                        : Math.min(single, bulk) / times.get(name);
            }
        },

        /** The share of the time of one bitsliced batch. */
        TO_BATCH("of a batch") {
            @Override
            Double ratio(String name, Map<String, Double> times) {
                Double batch = times.get(BATCH);
                return batch == null ? null : times.get(name) / batch;
            }
        };

        private final String heading;

        Comparison(String heading) {
            this.heading = heading;
        }

        String heading() {
            return heading;
        }

        /** The ratio, or null if what it is measured by did not run. */
        abstract Double ratio(String name, Map<String, Double> times);
    }

    private static final String HYBRID = "hybrid";
    private static final String PERMUTE = "permute";
    private static final String BITSLICED = "bitsliced";
    private static final String BATCH = BITSLICED + ", 4 blocks";

    private static final List<String> QUICK_SIZES = List.of("16", "1350", "16384");
    private static final List<String> FULL_SIZES =
            List.of("16", "256", "1019", "1350", "8192", "16384", "65536");
    private static final List<String> HYBRID_QUICK_SIZES =
            List.of("16", "64", "128", "256", "1024", "16384");
    private static final List<String> HYBRID_FULL_SIZES =
            List.of(
                    "16", "32", "48", "64", "80", "96", "112", "128", "192", "256", "320", "384",
                    "512", "1024", "4096", "16384", "65536");

    /** The rows that the settings ask for, on the engines that the target has. */
    static List<Row> plan(Settings settings, List<String> engines) {
        List<Row> rows = new ArrayList<>();
        for (String benchmark : settings.benchmarks) {
            for (String bits : settings.bits) {
                switch (benchmark) {
                    case "bulk" -> bulk(settings, bits, engines, rows);
                    case "key" -> key(settings, bits, engines, rows);
                    case "block" -> block(bits, engines, rows);
                    default -> hybrid(settings, bits, engines, rows);
                }
            }
        }
        rows.removeIf(row -> row.cells().isEmpty());
        return rows;
    }

    private static void bulk(
            Settings settings, String bits, List<String> engines, List<Row> rows) {
        for (String name : settings.modes) {
            AesMode mode = AesMode.valueOf(name);
            for (String direction : settings.directions) {
                if (!mode.has(direction)) {
                    continue;
                }
                for (String asked : sizes(settings, QUICK_SIZES, FULL_SIZES)) {
                    int size = mode.messageSize(Integer.parseInt(asked));
                    List<Cell> cells = cells(mode, bits, engines, "BulkBenchmark.message", size);
                    for (Cell cell : cells) {
                        cell.parameters().put("direction", direction);
                        cell.parameters().put("size", Integer.toString(size));
                    }
                    rows.add(
                            new Row(
                                    title(mode, bits, direction + ", " + size + " bytes"),
                                    Comparison.TO_BOUNCY_CASTLE,
                                    cells));
                }
            }
        }
    }

    private static void key(
            Settings settings, String bits, List<String> engines, List<Row> rows) {
        for (String name : settings.modes) {
            AesMode mode = AesMode.valueOf(name);
            rows.add(
                    new Row(
                            title(mode, bits, "new key and its first 16 bytes"),
                            Comparison.TO_BOUNCY_CASTLE,
                            cells(mode, bits, engines, "KeySetupBenchmark.keyAndFirstBlock", 0)));
        }
    }

    /** A cell for each engine that has something to show in the mode's row. */
    private static List<Cell> cells(
            AesMode mode, String bits, List<String> engines, String method, int bytes) {
        List<Cell> cells = new ArrayList<>();
        for (String engine : engines) {
            AesMode shown = mode.shownBy(engine);
            if (shown != null) {
                cells.add(
                        new Cell(
                                engine,
                                method,
                                parameters(
                                        "bits", bits, "engine", engine, "mode", shown.name()),
                                bytes));
            }
        }
        return cells;
    }

    private static String title(AesMode mode, String bits, String what) {
        return "AES-" + bits + "-" + mode + " " + what
                + (mode == AesMode.XTS ? " (peers: ECB)" : "");
    }

    private static void block(String bits, List<String> engines, List<Row> rows) {
        for (String method : List.of("ctr", "encrypt", "decrypt")) {
            List<Cell> cells = new ArrayList<>();
            for (String engine : List.of(PERMUTE, BITSLICED)) {
                for (String blocks : List.of("1", "4")) {
                    if (engines.contains(engine)) {
                        cells.add(
                                new Cell(
                                        engine + ", " + blocks
                                                + (blocks.equals("1") ? " block" : " blocks"),
                                        "SingleBlockBenchmark." + method,
                                        parameters(
                                                "bits", bits, "engine", engine, "blocks", blocks),
                                        16 * Integer.parseInt(blocks)));
                    }
                }
            }
            rows.add(new Row("AES-" + bits + " core, " + method, Comparison.TO_BATCH, cells));
        }
    }

    private static void hybrid(
            Settings settings, String bits, List<String> engines, List<Row> rows) {
        for (String size : sizes(settings, HYBRID_QUICK_SIZES, HYBRID_FULL_SIZES)) {
            List<Cell> cells = new ArrayList<>();
            for (String engine : List.of(PERMUTE, BITSLICED, HYBRID)) {
                if (engines.contains(engine)) {
                    cells.add(
                            new Cell(
                                    engine,
                                    "HybridBenchmark.message",
                                    parameters("bits", bits, "engine", engine, "size", size),
                                    Integer.parseInt(size)));
                }
            }
            rows.add(
                    new Row(
                            "AES-" + bits + "-CTR hybrid and halves, " + size + " bytes",
                            Comparison.TO_BETTER_HALF,
                            cells));
        }
    }

    private static List<String> sizes(Settings settings, List<String> quick, List<String> full) {
        if (!settings.sizes.isEmpty()) {
            return settings.sizes;
        }
        return settings.full ? full : quick;
    }

    private static Map<String, String> parameters(
            String name1, String value1, String name2, String value2, String name3, String value3) {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put(name1, value1);
        parameters.put(name2, value2);
        parameters.put(name3, value3);
        return parameters;
    }

    /** The table of this row: time, speed, ratio and allocation of each cell. */
    String table(Map<String, Measured> measured) {
        Map<String, Double> times = new HashMap<>();
        measured.forEach((name, result) -> times.put(name, result.nanoseconds()));
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        "%n%s%n  %-20s %12s %8s %10s %14s %10s%n",
                        title, "", "ns/call", "+-", "MB/s", comparison.heading(), "B/call"));
        for (Cell cell : cells) {
            Measured result = measured.get(cell.name());
            Double ratio = comparison.ratio(cell.name(), times);
            text.append(
                    String.format(
                            "  %-20s %12.1f %7.1f%% %10s %14s %10.0f%n",
                            cell.name(),
                            result.nanoseconds(),
                            100 * result.spread(),
                            cell.bytes() == 0
                                    ? "-"
                                    : String.format(
                                            "%.1f", 1000 * cell.bytes() / result.nanoseconds()),
                            ratio == null ? "-" : String.format("%.2f", ratio),
                            result.allocated()));
        }
        return text.toString();
    }
}
