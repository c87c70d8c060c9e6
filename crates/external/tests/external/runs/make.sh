#!/bin/sh
# Writes the profiles and traces here with the tools themselves, from the toy program in each language.
#
# usage: sh make.sh   (python3 with viztracer, node with the two @opentelemetry packages below, gcc, perf)
set -e
here=$(cd "$(dirname "$0")" && pwd)
work=${WORK:-/tmp/shop}
mkdir -p "$work"
cp "$here"/shop.* "$here"/spans.mjs "$work"
cd "$work"

viztracer --quiet --output_file shop.viztracer.json shop.py
node --cpu-prof --cpu-prof-interval 2000 --cpu-prof-name shop.cpuprofile shop.js
# npm install @opentelemetry/sdk-trace-base @opentelemetry/otlp-transformer
node spans.mjs > shop.otlp.json
gcc -O0 -o shop shop.c
perf record --quiet --event cpu-clock:u --freq 25 --call-graph fp --output shop.perf.data ./shop
perf script --input shop.perf.data > shop.perf

mv shop.viztracer.json shop.cpuprofile shop.otlp.json shop.perf "$here"
