import { adopted, CONTROLLER, dumped } from './support/adoptions';
import { synthesized } from './support/program';
import { RUNNING } from './support/running';
import { doctor } from '../../doctor/test/support/doctor';
import { withFolder } from '../../doctor/test/support/manifests';
import { planOf } from '../src/plan';
import { programOf } from '../src/program';

jest.setTimeout(120_000);

beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => jest.restoreAllMocks());

const DOCTOR = 'npx cdk8s-hosted-control-plane doctor ';

interface PlannedStep {
  readonly title: string;
  /** The command lines that must be well before the next step. */
  readonly checks: string[];
}

/** The steps of a plan, as its reader sees them. */
function stepsOf(plan: string): PlannedStep[] {
  return plan.split(/^(?=\d+\. \*\*)/m).slice(1).map(text => ({
    title: /\*\*(.+)\.\*\*/.exec(text)![1],
    checks: (text.split('Before the next step:')[1] ?? '').split('\n').map(line => line.trim()).filter(line => /^(npx|kubectl) /.test(line)),
  }));
}

const kubeconfig = (host: string) => JSON.stringify({
  'apiVersion': 'v1',
  'kind': 'Config',
  'clusters': [{ name: 'a', cluster: { server: `https://${host}` } }],
  'users': [{ name: 'a', user: { token: 'x' } }],
  'contexts': [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  'current-context': 'a',
});

describe.each(RUNNING.map(({ file }) => file))('the plan for %s', file => {
  test('has the doctor check each step, with the names of this control plane', () => {
    const running = dumped(file);
    const tenant = `${running.metadata.namespace}/${adopted([running])[0].description.controlPlane.source.name}`;
    for (const { title, checks } of stepsOf(planOf(adopted([running])))) {
      const commands = checks.filter(line => line.startsWith(DOCTOR));
      expect([title, commands.length > 0]).toEqual([title, true]);
      expect(commands.filter(line => line.includes(' live ') && !line.includes(` --tenant ${tenant}`))).toEqual([]);
    }
  });

  test('names commands of the doctor that run, and find the control plane in what the program writes', async () => {
    const [adoption] = adopted([dumped(file)]);
    const [host] = adoption.dnsNames;
    const objects = synthesized(programOf([adoption], CONTROLLER));
    const commands = new Set(stepsOf(planOf([adoption])).flatMap(({ checks }) => checks).filter(line => line.startsWith(DOCTOR)));
    await withFolder({ 'dist/management.k8s.yaml': objects.map(object => JSON.stringify(object)).join('\n---\n'), 'tenant.conf': kubeconfig(host) }, async cwd => {
      for (const command of commands) {
        // What a reader fills in; there is no management cluster here, and no way to anywhere.
        const args = command.slice(DOCTOR.length).replace(/ --kubeconfig <of the management cluster>/, '').replace(/<[^>]*>/, 'tenant.conf').split(' ');
        const live = args[0] === 'live' ? ['--resolver', '127.0.0.1:9', '--timeout', '100ms'] : [];
        const { code, stdout, stderr } = await doctor([...args, ...live], {}, { cwd });
        expect([command, code, stderr]).toEqual([command, args[0] === 'live' ? 1 : 0, '']);
        if (args[0] === 'live') expect(stdout).toContain(host);
      }
    });
  });
});
