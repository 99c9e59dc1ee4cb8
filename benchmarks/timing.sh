#!/usr/bin/env bash
# Builds Isochron and its benchmarks, then runs the timing test. Arguments go to it; see --help.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

mvn -q -B -ntp -f "$here/../pom.xml" install -Dmaven.test.skip=true
mvn -q -B -ntp -f "$here/pom.xml" package
exec java -cp "$here/target/benchmarks.jar" dev.isochron.timing.Timing "$@"
