// Reads jest's reports. `files <report>` names the files of which a test failed. `sum <0 or 1> <folder>` names the tests that failed,
// and sums up: it exits non-zero on a failed or skipped test, on an earlier failure, and when no test ran.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Lines of a failure that say what it was; the rest is in the log above. */
const LINES = 8;

/** The suites of a report: a file of tests each. */
function suitesOf(report) {
  return [...readFileSync(report, 'utf8').matchAll(/<testsuite (.*?)>([\s\S]*?)<\/testsuite>/g)].map(([, attributes, body]) => {
    const count = name => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(attributes)?.[1] ?? 0);
    const failures = [...body.matchAll(/<testcase ([^>]*?)>\s*<(?:failure|error)[^>]*>([^<]*)/g)]
      .map(([, test, reason]) => ({ name: /\bname="([^"]*)"/.exec(test)[1], reason }));
    return {
      file: /\bname="([^"]*)"/.exec(attributes)[1],
      tests: count('tests'),
      // A suite that could not run at all counts as an error of its own.
      failed: count('failures') + count('errors'),
      skipped: count('skipped'),
      failures,
    };
  });
}

function files(report) {
  const failed = existsSync(report) ? suitesOf(report).filter(suite => suite.failed > 0) : [];
  for (const file of new Set(failed.map(suite => suite.file))) console.log(file);
}

function sum(failedBefore, folder) {
  const total = { tests: 0, failed: 0, skipped: 0 };
  for (const report of existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.xml')) : []) {
    const again = join(folder, 'again', report);
    const second = existsSync(again) ? suitesOf(again) : [];
    for (const suite of suitesOf(join(folder, report))) {
      const rerun = second.filter(({ file }) => file === suite.file);
      const recovered = rerun.length > 0 && rerun.every(({ failed, skipped }) => failed === 0 && skipped === 0);
      total.tests += suite.tests;
      total.skipped += suite.skipped;
      total.failed += recovered ? 0 : suite.failed;
      for (const { name, reason } of suite.failures) {
        console.log(`${recovered ? 'failed once, and passed when its file ran again alone' : 'failed'}: ${name}\n${reason.split('\n').slice(0, LINES).join('\n')}`);
      }
    }
  }
  const passed = total.tests - total.failed - total.skipped;
  if (total.skipped > 0) console.log(`${total.skipped} tests were skipped: this machine lacks what they need, see their names.`);
  console.log(`${passed} passed, ${total.failed} failed`);
  process.exitCode = failedBefore !== '0' || total.failed > 0 || total.skipped > 0 || passed === 0 ? 1 : 0;
}

const [command, ...args] = process.argv.slice(2);
({ files, sum })[command](...args);
