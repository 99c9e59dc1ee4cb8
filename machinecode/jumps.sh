#!/usr/bin/env bash
# Lists the conditional jumps in the machine code that the JIT compilers make of Isochron, and explains
# each; see README.md beside this file. Fails if a jump is left unexplained.
set -euo pipefail

usage() {
  cat <<'EOF'
machinecode/jumps.sh [options]
  --tier T       c1, c2, tiered (the JVM's own choice), or several with commas; default: c1,c2
  --jdk HOME     a JDK's folder, or several with commas; default: the JDK of the javac in PATH, and
                 a JDK 25 where one stands beside it
  --method RE    only methods whose class::name matches; default: all of Isochron but its command
                 line, and the JDK's methods that it hands secrets to
  --seconds N    how long the workload runs in each JVM at least; it goes on, up to three times as
                 long, while the compilers are busy; default: 7
  --out DIR      where the lists of all jumps go; default: target/machinecode
It needs Maven or a built target/classes, gcc and objdump; where those two are missing and apt-get is
there, it installs Debian's gcc, libc6-dev and binutils.
EOF
}

cd "$(dirname "$0")/.."
tiers=c1,c2
jdks=
methods='^dev\.isochron\.aes\.(?!cli)|^java\.lang\.(Long|Integer)::(reverse|rotate)|^java\.lang\.invoke\.VarHandle(ByteArray|Guards)|^jdk\.internal\.misc\.Unsafe::(get|put)(Long|Int)Unaligned|^jdk\.internal\.misc\.Unsafe::convEndian|^java\.util\.Arrays::fill'
seconds=7
out=target/machinecode
while [ $# -gt 0 ]; do
  case "$1" in
    --tier) tiers=$2; shift 2 ;;
    --jdk) jdks=$2; shift 2 ;;
    --method) methods=$2; shift 2 ;;
    --seconds) seconds=$2; shift 2 ;;
    --out) out=$2; shift 2 ;;
    --help|-h) usage; exit 0 ;;
    *) echo "no such option: $1" >&2; usage >&2; exit 2 ;;
  esac
done

[ "$(uname -sm)" = "Linux x86_64" ] || { echo "only for Linux on x86-64" >&2; exit 2; }
if ! command -v gcc > /dev/null || ! command -v objdump > /dev/null; then
  apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev binutils
fi
if [ -z "$jdks" ]; then
  jdks=$(dirname "$(dirname "$(readlink -f "$(command -v javac)")")")
  for home in "$(dirname "$jdks")"/*25*; do
    if [ -x "$home/bin/java" ]; then jdks=$jdks,$home; fi
  done
fi
[ -d target/classes/dev ] || mvn -q -B -ntp compile

mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
status=0
IFS=, read -ra homes <<< "$jdks"
IFS=, read -ra runs <<< "$tiers"
first=${homes[0]}
gcc -shared -fPIC -O2 -Wall -Wextra -Werror -I"$first/include" -I"$first/include/linux" \
  -o "$build/agent.so" machinecode/agent.c
"$first/bin/javac" --release 17 -Xlint:all -Werror -cp target/classes -d "$build" machinecode/*.java
for home in "${homes[@]}"; do
  version=$("$home/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/ *java.version = //p')
  for tier in "${runs[@]}"; do
    # Each compiles sooner than it would: the code is the same, the run is shorter.
    case "$tier" in
      c1) flags=(-XX:TieredStopAtLevel=1) ;;
      c2) flags=(-XX:-TieredCompilation -XX:CompileThresholdScaling=0.02) ;;
      tiered) flags=(-XX:+TieredCompilation) ;;
      *) echo "tier must be c1, c2 or tiered, was $tier" >&2; exit 2 ;;
    esac
    dump=$build/dump.txt
    "$home/bin/java" "${flags[@]}" -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints -Xmx1g \
      -XX:CompileCommand=quiet '-XX:CompileCommand=dontinline,Controls::*' \
      -agentpath:"$build/agent.so=$dump" -cp "$build:target/classes" Workload "$seconds" > /dev/null
    "$first/bin/java" -Xmx2g -cp "$build" Jumps "$dump" "JDK $version, $tier" "$methods" \
      "$out/$version-$tier.txt" || status=1
  done
done
exit $status
