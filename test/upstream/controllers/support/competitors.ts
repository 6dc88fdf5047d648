import { CONVERGENCE_MS, Fleet } from './fleet';
import type { Check } from './suite';
import { RESIDENTS, TenantRoute, THREE } from './tenants';
import { eventually } from '../../../data-path/support/eventually';

/** Objects of somebody else that take the host of a tenant, by what they are. */
export interface Competitors {
  readonly [name: string]: {
    readonly object: any;
    /** Whether it does so only where it is older than the tenant's. @default false */
    readonly older?: boolean;
  };
}

/** Declares that each takes the host away while it is there, and that synthesis refuses it. */
export function checkCompetitors(check: Check, fleet: () => Fleet, competitorsFor: (route: TenantRoute) => Competitors): void {
  for (const [name, { older }] of Object.entries(competitorsFor({ hostname: 'a.example.test' } as TenantRoute))) {
    check(`${name} for the host takes it, which synthesis refuses`, async () => {
      const { cluster, controller } = fleet();
      const [route, later] = fleet().routesOf(THREE);
      const { object } = competitorsFor(route)[name];
      expect(controller._competitor(object)?.(route)).toBe(true);
      if (older) await fleet().put(RESIDENTS.filter(tenant => tenant !== THREE));
      await cluster.apply([object]);
      if (older) {
        // Ages are whole seconds.
        const applied = Date.now();
        await eventually(async () => Date.now() > applied + 1_000);
        await fleet().put(RESIDENTS);
        // Once the later one is served, the other would be.
        await fleet().reaches(later);
      }
      await eventually(async () => (await fleet().ask(route, { ca: undefined })).shown !== fleet().answerOf(route).backend, CONVERGENCE_MS);
      await cluster.kubectl(['delete', '--filename=-'], { input: JSON.stringify(object) });
      await fleet().reaches(route);
    });
  }
}

/** An Ingress that leads a host to another tenant. */
export function ingressFor(host: string, annotations: { [name: string]: string }, ingressClassName?: string, service = 'four'): any {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: 'of-somebody', namespace: 'team', annotations },
    spec: {
      ingressClassName,
      rules: [{ host, http: { paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: service, port: { number: 6443 } } } }] } }],
    },
  };
}
