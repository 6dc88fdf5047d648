import * as z from 'zod/mini';
import { isGatewayName } from './describe/description';
import { isRoutable } from './describe/hosts';
import { ConfigurationError, parseConfiguration } from '../../cli/configuration';
import { INGRESS_CONTROLLERS } from '../../cli/ingress-controllers';

const ALL_CONTROLLERS = INGRESS_CONTROLLERS.map(({ factory }) => factory);
/** Factories of IngressController that need no property, and those that need a Gateway. */
export const CONTROLLERS = INGRESS_CONTROLLERS.filter(({ gateway }) => !gateway).map(({ factory }) => factory);
export const GATEWAY_CONTROLLERS = ALL_CONTROLLERS.filter(factory => !CONTROLLERS.includes(factory));
export const OUTPUTS = ['text', 'json'] as const;

const gateway = z.pipe(
  z.string().check(z.refine(isGatewayName, 'is not a Gateway, write it like gateways/control-planes')),
  z.transform((text: string) => {
    const [namespace, name] = text.split('/');
    return { namespace, name };
  }),
);

const schema = z.object({
  kubeconfig: z.optional(z.string()),
  context: z.optional(z.string()),
  tenant: z.optional(z.array(z.string().check(z.refine(text => /^[^/\s]+\/[^/\s]+$/.test(text), 'is not a tenant, write it like <namespace>/<name>')))),
  domain: z.optional(z.string().check(z.refine(isRoutable, 'is not a domain, write it like example.com'))),
  controller: z.enum(ALL_CONTROLLERS, `is not a controller, choose one of ${[...CONTROLLERS, ...GATEWAY_CONTROLLERS].join(', ')}`),
  gateway: z.optional(gateway),
  tcpProxy: z.boolean(),
  out: z.optional(z.string()),
  compare: z.optional(z.array(z.string())),
  output: z.enum(OUTPUTS, 'is not a format, choose text or json'),
  color: z.boolean(),
});

/** Arguments of `adopt`. */
export type AdoptOptions = z.infer<typeof schema> & { readonly paths: string[] };

/** @throws ConfigurationError with every fault, or flags that do not go together */
export function parseAdoptOptions(paths: string[], values: Record<string, unknown>): AdoptOptions {
  const options = { ...parseConfiguration(schema, values), paths };
  const refused = (text: string) => new ConfigurationError(text);
  if (options.context !== undefined && options.kubeconfig === undefined) throw refused('--context is of a --kubeconfig: give that too');
  if (paths.length === 0 && options.kubeconfig === undefined) throw refused('nothing says what runs: give files or folders of dumps, or a --kubeconfig');
  if (paths.length > 0 && options.kubeconfig !== undefined) throw refused('dumps and --kubeconfig both say what runs: give one of them');
  if (GATEWAY_CONTROLLERS.includes(options.controller) && options.gateway === undefined) {
    throw refused(`--controller ${options.controller} routes at a Gateway: give --gateway <namespace>/<name> too`);
  }
  if (options.compare !== undefined && options.out !== undefined) throw refused('--compare compares what is there and writes nothing: leave --out away');
  return options;
}
