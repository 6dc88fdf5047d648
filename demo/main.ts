import { constants } from 'os';
import { askDoctor } from './doctor';
import { killHaproxy } from './fault';
import { install, Installation } from './installation';
import { pathsOf } from './paths';
import { startWithFreePorts } from './ports';
import { Answer, NOBODY, whoAmI } from './requests';
import { heading, mark, paint, table } from './screen';
import { onceStarterEnds } from './starters';
import { openWorkplace } from './workplace';
import { endParts, stopParts } from '../test/data-path/support/parts';
import { haproxyBinary } from '../test/support/haproxy';

/*
 * The whole path on loopback: a shared ingress that passes TLS through, two tenants' API servers behind it, a tcp-proxy of
 * each kind, and the shared gateway, all from synthesized configurations. Shows requests on every path, what the doctor says and how a fault
 * heals, and goes on until Ctrl-C; with --once it ends, with an error if something was not as it should be.
 */
async function main(once: boolean): Promise<void> {
  if (!haproxyBinary()) {
    throw new Error('There is no HAProxy 3: scripts/haproxy.sh says how to get one.');
  }
  const workplace = openWorkplace();
  heading('Starting');
  const installation = await startWithFreePorts(() => install(workplace).catch(async error => {
    await stopParts();
    throw error;
  }));
  const requestsAreRight = await showRequests(installation);
  const doctorIsContent = await showDoctor(installation);
  const faultIsHealed = await showFault(installation);
  process.exitCode = requestsAreRight && doctorIsContent && faultIsHealed ? 0 : 1;
  if (!once) {
    showWhatToTry(installation);
    await new Promise<never>(() => undefined);
  }
}

async function showRequests(installation: Installation): Promise<boolean> {
  heading('Requests');
  const paths = pathsOf(installation);
  const rows: string[][] = [['', 'client', 'way', 'the API server sees', 'protocol', 'ms'].map(head => paint('grey', head))];
  let wrong = 0;
  for (const { client, way, request, expected } of paths) {
    const answer = await whoAmI(request);
    const right = answer.user === expected;
    wrong += right ? 0 : 1;
    rows.push([mark(right), client, way, seen(answer, expected), answer.protocol ?? '', String(answer.milliseconds)]);
  }
  table(rows);
  console.log(`\n${wrong === 0 ? paint('green', `All ${paths.length} paths did what they should.`) : paint('red', `${wrong} of ${paths.length} paths did not do what they should.`)}`);
  return wrong === 0;
}

async function showDoctor(installation: Installation): Promise<boolean> {
  heading('The doctor');
  const visits = await askDoctor(installation);
  for (const { command, text, healthy } of visits) {
    console.log(`  ${mark(healthy)} ${paint('grey', command)}\n${text.replace(/^/gm, '      ')}`);
  }
  return visits.every(({ healthy }) => healthy);
}

async function showFault(installation: Installation): Promise<boolean> {
  heading('A fault');
  const { fault, healer, milliseconds } = await killHaproxy(installation);
  const healed = milliseconds !== undefined;
  console.log(`  ${mark(healed)} ${fault}: ${healed ? `${healer}, and a pod is answered again after ${milliseconds} ms` : 'no pod was answered since'}`);
  return healed;
}

function showWhatToTry({ exposures, ports }: Installation): void {
  const [{ host }] = exposures.map(({ api }) => api);
  heading('Try it');
  console.log(`  curl -k --resolve ${host}:${ports.ingress}:127.0.0.1 https://${host}:${ports.ingress}/version`);
  console.log(`  curl -k https://127.0.0.1:${ports.sniProxy}/version        # as a pod: by address, through the tcp-proxy`);
  console.log(paint('grey', '\n  Ctrl-C ends everything.'));
}

function seen({ user, failure }: Answer, expected: string | undefined): string {
  if (user !== undefined) {
    return user === NOBODY ? paint('yellow', 'nobody: the certificate ends at the proxy') : paint('blue', user);
  }
  return expected === undefined ? paint('grey', 'nothing: closed at the edge') : paint('red', failure ?? '');
}

/** Stops all that runs; what is being started is stopped as soon as it is there. */
async function end(): Promise<never> {
  await endParts();
  process.exit();
}

function fail(error: Error): void {
  console.error(paint('red', error.message));
  process.exitCode = 1;
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // There is one as soon as there was something to judge.
    process.exitCode ??= 128 + constants.signals[signal];
    void end();
  });
}
process.on('uncaughtException', error => {
  fail(error);
  void end();
});
onceStarterEnds(() => void end());
void main(process.argv.includes('--once')).catch(fail).finally(end);
