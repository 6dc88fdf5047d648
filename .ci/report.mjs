// Names the tests that failed and sums up jest's reports. Exits non-zero on a failed or skipped test, on an earlier failure, and when no test ran.
import { readFileSync } from 'node:fs';

const [failedBefore, ...files] = process.argv.slice(2);
/** Lines of a failure that say what it was; the rest is in the log above. */
const LINES = 8;
const sum = { tests: 0, failed: 0, skipped: 0 };
for (const file of files) {
  const xml = readFileSync(file, 'utf8');
  // jest-junit counts suites that could not run as errors of their own.
  for (const [suite] of xml.matchAll(/<testsuite .*?>/g)) {
    const count = name => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(suite)?.[1] ?? 0);
    sum.tests += count('tests');
    sum.failed += count('failures') + count('errors');
    sum.skipped += count('skipped');
  }
  for (const [, name, reason] of xml.matchAll(/<testcase [^>]*?\bname="([^"]*)"[^>]*>\s*<(?:failure|error)[^>]*>([^<]*)/g)) {
    console.log(`failed: ${name}\n${reason.split('\n').slice(0, LINES).join('\n')}`);
  }
}
const passed = sum.tests - sum.failed - sum.skipped;
if (sum.skipped > 0) {
  console.log(`${sum.skipped} tests were skipped: this machine lacks what they need, see their names.`);
}
console.log(`${passed} passed, ${sum.failed} failed`);
process.exitCode = failedBefore !== '0' || sum.failed > 0 || sum.skipped > 0 || passed === 0 ? 1 : 0;
