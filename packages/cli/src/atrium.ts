#!/usr/bin/env node
process.stderr.write('atrium: no command yet\n');
process.exitCode = 2;
