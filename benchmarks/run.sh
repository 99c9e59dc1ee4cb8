#!/usr/bin/env bash
# Builds Isochron and its benchmarks, then runs them. Arguments go to the runner; see --help.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)

mvn -q -B -ntp -f "$here/../pom.xml" install -Dmaven.test.skip=true
mvn -q -B -ntp -f "$here/pom.xml" package
exec java -jar "$here/target/benchmarks.jar" "$@"
