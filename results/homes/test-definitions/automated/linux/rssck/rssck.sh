#!/bin/sh
# Runs rssck check, and writes a line for each case: name, result, milliseconds.

# shellcheck disable=SC1091
. ../../lib/sh-test-lib

SCRIPTPATH="$(pwd)"
OUTPUT="${SCRIPTPATH}/output"
RESULT_FILE="${OUTPUT}/result.txt"
RESULTS="${OUTPUT}/results.json"
RSSCK_PATH="/opt/rssck"
CASES=""
TEST_DIR=""
SKIPFILE=""
BOARD=""
BRANCH=""
ENVIRONMENT=""

usage() {
    echo "Usage: $0 [-p <folder of rssck>] [-c <cases>] [-d <folder for files>] [-S <skipfile>]" \
        "[-b <board>] [-g <branch>] [-e <environment>]" 1>&2
    exit 1
}

while getopts "p:c:d:S:b:g:e:h" opt; do
    case "${opt}" in
        p) RSSCK_PATH="${OPTARG}" ;;
        c) CASES="${OPTARG}" ;;
        d) TEST_DIR="${OPTARG}" ;;
        S) SKIPFILE="${OPTARG}" ;;
        b) BOARD="${OPTARG}" ;;
        g) BRANCH="${OPTARG}" ;;
        e) ENVIRONMENT="${OPTARG}" ;;
        *) usage ;;
    esac
done

# A yaml skip file goes through skipgen, as for kselftest and ltp.
skiplist() {
    [ -n "${SKIPFILE}" ] || return 0
    case "${SKIPFILE}" in
        *.yaml)
            "${SCRIPTPATH}/../../bin/$(uname -m)/skipgen" --board "${BOARD}" --branch "${BRANCH}" \
                --environment "${ENVIRONMENT}" "${SCRIPTPATH}/${SKIPFILE}" || warn_msg "skipgen cannot run here" ;;
        *) cat "${SCRIPTPATH}/${SKIPFILE}" ;;
    esac
}

# The requested cases, without those of the skip file.
selected() {
    skiplist > "${OUTPUT}/skipped"
    # shellcheck disable=SC2086
    "${RSSCK_PATH}/rssck" list ${CASES} | awk '{ print $1 }' | grep -vxF -f "${OUTPUT}/skipped"
}

create_out_dir "${OUTPUT}"
[ -x "${RSSCK_PATH}/rssck" ] || error_fatal "${RSSCK_PATH}/rssck is not there"
selected > "${OUTPUT}/cases"
[ -s "${OUTPUT}/cases" ] || error_fatal "no case is left"

# shellcheck disable=SC2046
"${RSSCK_PATH}/rssck" check ${TEST_DIR:+--directory="${TEST_DIR}"} --format=json --output="${RESULTS}" \
    $(cat "${OUTPUT}/cases")
status=$?
# 1 (a case failed) and 4 (no case could run) are reported case by case; 2 means that rssck failed.
[ "${status}" -ne 2 ] || report_fail "rssck-check"

awk -F '"' '
    function number() { gsub(/[^0-9.]/, ""); return $0 }
    function dashed(id) { gsub("/", "-", id); return id }
    /^    "[a-z]+\.[A-Za-z_]+": \{/ { counter = $2 }
    /^      "kind": / { units = $4 == "per-thread" ? "faults" : "pages" }
    /^      "batch": / { print "lag-" counter, "pass", number(), units }
    /^      "id": / { id = dashed($4) }
    /^      "verdict": / { verdict = $4 == "error" ? "unknown" : $4 }
    /^      "duration_ms": / { print id, verdict, number(), "ms" }' "${RESULTS}" | tee -a "${RESULT_FILE}"
while read -r name; do
    echo "$(echo "${name}" | tr / -) skip" | tee -a "${RESULT_FILE}"
done < "${OUTPUT}/skipped"
