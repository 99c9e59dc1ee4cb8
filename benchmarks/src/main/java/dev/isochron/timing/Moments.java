package dev.isochron.timing;

/**
 * The count, the mean and the second to fourth central sums of a stream of numbers, kept up to date one
 * number at a time (Pebay 2008, the formulas for one added value). Sums of plain powers would lose
 * everything to cancellation: a sample may be a thousand times as large as what it is to show.
 */
final class Moments {

    private long n;
    private double mean;
    private double m2;
    private double m3;
    private double m4;

    void add(double x) {
        double before = n;
        n++;
        double delta = x - mean;
        double step = delta / n;
        double squared = step * step;
        double term = delta * step * before;
        mean += step;
        m4 +=
                term * squared * ((double) n * n - 3.0 * n + 3)
                        + 6 * squared * m2
                        - 4 * step * m3;
        m3 += term * step * (n - 2.0) - 3 * step * m2;
        m2 += term;
    }

    long count() {
        return n;
    }

    double mean() {
        return mean;
    }

    /** The unbiased sample variance. */
    double variance() {
        return m2 / (n - 1);
    }

    /** The mean of the squared distance from the mean. */
    private double secondMoment() {
        return m2 / n;
    }

    /** The variance of the squared distance from the mean. */
    private double varianceOfSquares() {
        double second = secondMoment();
        return (m4 / n - second * second) * n / (n - 1);
    }

    /**
     * Welch's t: the difference of two means in units of its standard error, for samples of unequal
     * size and variance. Positive if the first mean is the larger. 0 if neither varies and the means
     * agree, infinite if neither varies and they do not.
     */
    static double welch(Moments x, Moments y) {
        return t(x.mean - y.mean, standardError(x, y));
    }

    /** The standard error of the difference of two means. */
    static double standardError(Moments x, Moments y) {
        return Math.sqrt(x.variance() / x.n + y.variance() / y.n);
    }

    /**
     * Welch's t of second order: of the centred product, which is the squared distance of a sample from
     * the mean of its class. It sees two classes that take equally long on average and vary
     * differently.
     */
    static double welchSecondOrder(Moments x, Moments y) {
        return t(
                x.secondMoment() - y.secondMoment(),
                Math.sqrt(x.varianceOfSquares() / x.n + y.varianceOfSquares() / y.n));
    }

    private static double t(double difference, double standardError) {
        return difference == 0 ? 0 : difference / standardError;
    }
}
