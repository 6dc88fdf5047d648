import { promises } from 'readline';
import { Choice, controllersOf, deliveriesOf, LANGUAGES, PLATFORMS } from './choices';
import {
  Answers, checked, controllerOf, DEFAULTS, deliveryOf, platformOf, usualGatewayClass,
  validateDomain, validateGatewayClass, validateNamespace, validateRepoUrl, validateTenant,
} from './settings';
import { ConfigurationError } from '../../cli/configuration';

/** What is asked, and gives the answer; an empty one takes the default. */
export type Ask = (question: string) => Promise<string>;

/** Asks on a terminal for what no flag said. What is wrong is told, and asked again. */
export async function askForMissing(given: Answers, ask: Ask, say: (line: string) => void): Promise<Answers> {
  const choose = async (flag: string, choices: readonly Choice[]): Promise<string> => {
    say(`${flag}:`);
    const width = Math.max(...choices.map(({ name }) => name.length));
    choices.forEach(({ name, title }, i) => say(`  ${String(i + 1).padStart(2)}  ${name.padEnd(width)}  ${title}`));
    return again(async () => {
      const answer = (await ask(`${flag} [${choices[0].name}]: `)).trim();
      const choice = answer === '' ? choices[0] : choices.find(({ name }, i) => name === answer || String(i + 1) === answer);
      if (!choice) throw new ConfigurationError(`${JSON.stringify(answer)}: is none of them, give a number or a name`);
      return choice.name;
    });
  };
  const write = (question: string, usual: string, validate: (value: string) => string) => again(async () => {
    const answer = (await ask(`${question}${usual === '' ? '' : ` [${usual}]`}: `)).trim();
    return checked(answer === '' ? usual : answer, validate);
  });
  async function again(attempt: () => Promise<string>): Promise<string> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ConfigurationError)) throw error;
        say(error.message);
      }
    }
  }

  const platform = platformOf(given.platform ?? await choose('platform', PLATFORMS));
  const controller = controllerOf(platform, given.controller ?? await choose('controller', controllersOf(platform)));
  const deliveries = deliveriesOf(platform);
  const delivery = deliveryOf(platform, given.delivery ?? (deliveries.length === 1 ? deliveries[0].name : await choose('delivery', deliveries)));
  return {
    platform: platform.name,
    controller: controller.name,
    delivery: delivery.name,
    repoUrl: given.repoUrl ?? (delivery.name === 'argocd' ? await write('Git repository that Argo CD reads', '', validateRepoUrl) : undefined),
    gatewayClass: given.gatewayClass ?? (controller.gateway ? await write('GatewayClass', usualGatewayClass(controller), validateGatewayClass) : undefined),
    language: given.language ?? await choose('language', LANGUAGES),
    domain: given.domain ?? await write('domain that the hosts of control planes end with', '', validateDomain),
    tenant: given.tenant ?? await write('name of the first tenant', DEFAULTS.tenant, validateTenant),
    namespace: given.namespace ?? await write('namespace of the control planes', DEFAULTS.namespace, validateNamespace),
  };
}

/** Asks at the terminal. */
export async function askAtTerminal(given: Answers): Promise<Answers> {
  const terminal = promises.createInterface({ input: process.stdin, output: process.stdout });
  // Ctrl-C and Ctrl-D end the questions: nothing has been written then.
  const left = new Promise<never>((_, reject) => terminal.once('close', () => reject(new ConfigurationError('the questions were left; nothing was written'))));
  try {
    return await Promise.race([left, askForMissing(given, question => terminal.question(question), line => console.log(line))]);
  } finally {
    terminal.removeAllListeners('close').close();
  }
}
