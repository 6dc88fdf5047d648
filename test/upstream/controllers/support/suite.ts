import { ask, ClientOptions, Outcome, SILENCE, Stream } from './client';
import { ControllerCase, Fleet } from './fleet';
import { EDGE } from './network';
import { FIVE, FOUR, ONE, RESIDENTS, TenantRoute, TenantSpec, THREE, TWO } from './tenants';
import { clientHello, splittingTransport } from '../../../data-path/support/client-hello';
import { eventually } from '../../../data-path/support/eventually';
import { stopParts } from '../../../data-path/support/parts';
import { KUBERNETES_VERSION } from '../../../e2e/support/versions';
import { recordRun } from '../../../support/compatibility';

/** Declares a test whose result is recorded. */
export type Check = (name: string, run: () => Promise<void>) => void;

/** Protocols of 250 bytes each: with them a ClientHello is as long as with a post-quantum key, which not every Node.js can send. */
const PADDING = Array.from({ length: 8 }, (_, i) => String(i).padEnd(250, '-'));
/** PROXY protocol, version 1, from where everybody may come from. */
const forgedHeader = ({ v4 }: { readonly v4: string }) => Buffer.from(`PROXY TCP4 ${v4} ${EDGE.v4} 40000 443\r\n`);

/**
 * What must hold for every ingress controller: it runs with the manifests that the library writes for four tenants, out of a real API
 * server, and a fifth tenant comes and goes.
 *
 * @param more what is known of this controller alone
 */
export function describeController(controllerCase: ControllerCase, more?: (check: Check, fleet: () => Fleet) => void): void {
  const { system, version, how = '', comparesCase, filtersSources, servesPorts, shownToStrangers } = controllerCase;
  const passed: string[] = [];
  const failed: string[] = [];
  const check: Check = (name, run) => test(name, async () => {
    failed.push(name);
    await run();
    passed.push(failed.pop()!);
  }, 300_000);

  describe(`${system} ${version}${how}`, () => {
    let fleet: Fleet;

    beforeAll(async () => {
      fleet = await Fleet.start(controllerCase);
      const controller = await fleet.put(RESIDENTS);
      await controllerCase.start(fleet.cluster, controller);
      for (const route of fleet.routes) await fleet.reaches(route);
    }, 300_000);

    afterAll(async () => {
      await stopParts();
      await recordRun({
        system,
        version,
        with: [`kube-apiserver ${KUBERNETES_VERSION}`, ...controllerCase.with ?? []].join(', '),
        what: `${how.replace(/^, (.*)/, '$1: ')}${passed.join('; ')}`,
        result: failed.length > 0 || passed.length === 0 ? 'failed' : 'passed',
        note: failed.length > 0 ? `failed: ${failed.join('; ')}` : undefined,
      });
    }, 60_000);

    /** Nobody answers, and no certificate is shown but the controller's own. */
    async function expectStranger(options: ClientOptions): Promise<void> {
      const { servername } = options;
      const { answer, shown, error } = await ask(options);
      expect({ servername, answer, shown }).toEqual({ servername, answer: undefined, shown: shownToStrangers });
      expect(error).not.toBe(SILENCE);
    }

    check('each host leads to its tenant, with its certificate and that of the client', async () => {
      for (const route of fleet.routes) {
        const answer = { ...fleet.answerOf(route), servername: route.hostname };
        expect(await fleet.ask(route)).toMatchObject({ shown: answer.backend, answer });
      }
    });

    check('a client without certificate meets the refusal of the tenant', async () => {
      for (const route of fleet.routes) {
        const { shown, answer } = await fleet.ask(route, { certificate: undefined });
        expect([shown, answer]).toEqual([fleet.answerOf(route).backend, undefined]);
      }
    });

    check('ALPN is agreed on by client and tenant: h2, http/1.1 or none', async () => {
      for (const route of fleet.routes) {
        const h2 = route.tenant.alpn ? 'http/1.1' : 'h2';
        for (const [alpn, agreed] of [[['h2', 'http/1.1'], h2], [['http/1.1'], 'http/1.1'], [undefined, false]] as const) {
          expect(await fleet.ask(route, { alpn: alpn && [...alpn] })).toMatchObject({ alpn: agreed, answer: { alpn: agreed } });
        }
      }
    });

    if (comparesCase) {
      check('the server name is compared with its case, so synthesis refuses hosts with upper-case letters', async () => {
        for (const route of fleet.routes) {
          await expectStranger({ ...fleet.clientOf(route), ca: undefined, servername: route.hostname.toUpperCase() });
        }
        expect(() => fleet.synthesize([{ ...FIVE, host: 'Five' }])).toThrow('upper-case');
      });
    } else {
      check('the case of the server name does not matter', async () => {
        for (const route of fleet.routes) {
          for (const servername of [route.hostname.toUpperCase(), route.hostname.replace(/^./, first => first.toUpperCase())]) {
            expect(await fleet.ask(route, { servername, expected: route.hostname })).toMatchObject({ answer: fleet.answerOf(route) });
          }
        }
      });
    }

    check('a ClientHello of post-quantum size arrives, in one piece and in many packets', async () => {
      const [route] = fleet.routesOf(THREE);
      const options = { alpn: [...PADDING, 'http/1.1'] };
      expect((await clientHello({ servername: route.hostname, ALPNProtocols: options.alpn })).length).toBeGreaterThan(2_000);
      const { port } = fleet.strangerTo(route);
      for (const split of [whole, inPackets(1_460), inPackets(100), inPackets(1)]) {
        expect(await fleet.ask(route, { ...options, transport: splittingTransport(port, split) })).toMatchObject({ alpn: 'http/1.1', answer: fleet.answerOf(route) });
      }
    });

    check('unknown names and clients without one meet no tenant', async () => {
      for (const route of fleet.routes) {
        const { hostname } = route;
        const strangers = [
          undefined, 'unknown.example.org', `x${hostname}`, `unknown.${hostname}`, hostname.replace('.', 'x'), hostname.slice(hostname.indexOf('.') + 1),
        ];
        for (const servername of strangers.filter(name => !fleet.routes.some(other => other.hostname === name))) {
          await expectStranger({ ...fleet.clientOf(route), ca: undefined, servername });
        }
      }
    });

    if (filtersSources) {
      check('allowedCidrs let in the networks of each tenant alone, by IPv4 and IPv6', async () => {
        for (const [tenant, other] of [[ONE, TWO], [TWO, ONE]] as const) {
          for (const route of fleet.routesOf(tenant)) {
            for (const [host, from, foreign] of sourcesOf(tenant, other)) {
              expect(await fleet.ask(route, { host, source: from })).toMatchObject({ answer: fleet.answerOf(route) });
              for (const servername of comparesCase ? [route.hostname] : [route.hostname, route.hostname.toUpperCase()]) {
                await expectRefused(fleet, route, { host, source: foreign, servername });
              }
            }
          }
        }
        for (const route of fleet.routesOf(THREE)) {
          expect(await fleet.ask(route, { source: ONE.sources!.v4 })).toMatchObject({ answer: fleet.answerOf(route) });
        }
      });

      check('a forged PROXY header gets nobody past allowedCidrs', async () => {
        for (const route of fleet.routesOf(ONE)) {
          await expectRefused(fleet, route, { source: TWO.sources!.v4, before: forgedHeader(ONE.sources!) });
        }
      });
    } else {
      check('allowedCidrs, which it cannot hold to, are refused by synthesis', async () => {
        expect(() => fleet.synthesize(RESIDENTS, true)).toThrow('allowedCidrs');
      });
    }

    if (servesPorts) {
      check('a port leads to its tenant, whatever the server name is', async () => {
        for (const [tenant, other] of [[ONE, TWO], [THREE, FOUR]]) {
          const [api] = fleet.routesOf(tenant);
          const options = { ...fleet.strangerTo({ port: tenant.ownPort! }), expected: api.hostname };
          for (const servername of [undefined, 'kubernetes.default.svc', fleet.routesOf(other)[0].hostname]) {
            await eventually(async () => {
              expect(await fleet.ask(api, { ...options, servername })).toMatchObject({ answer: fleet.answerOf(api) });
              return true;
            });
            if (filtersSources && tenant.sources) await expectRefused(fleet, api, { ...options, servername, source: other.sources!.v4 });
          }
        }
      });
    }

    describe('while streams of the others are open', () => {
      let streams: Stream[];

      beforeAll(async () => {
        streams = await Promise.all(fleet.routes.map(route => fleet.open(route)));
      });

      const checkBeside: Check = (name, run) => check(name, async () => {
        await run();
        for (const stream of streams) expect(await stream.echo('still there')).toBe('still there');
      });

      checkBeside('a tenant is added', async () => {
        await fleet.put([...RESIDENTS, FIVE]);
        for (const route of fleet.routesOf(FIVE)) await fleet.reaches(route);
      });

      checkBeside('a tenant moves to another address', async () => {
        await fleet.serve(FIVE);
        for (const route of fleet.routesOf(FIVE)) await fleet.reaches(route);
      });

      checkBeside('a tenant moves to other hosts', async () => {
        const before = fleet.routesOf(FIVE).map(route => ({ route, client: fleet.clientOf(route) }));
        await fleet.put([...RESIDENTS, { ...FIVE, host: 'moved' }]);
        for (const route of fleet.routesOf(FIVE)) await fleet.reaches(route);
        for (const { route, client } of before) await fleet.refuses(route, client);
      });

      checkBeside('a tenant is removed', async () => {
        const before = fleet.routesOf(FIVE).map(route => ({ route, client: fleet.clientOf(route) }));
        await fleet.put(RESIDENTS);
        for (const { route, client } of before) {
          await fleet.refuses(route, client);
          await expectStranger({ ...client, ca: undefined });
        }
        for (const route of fleet.routes) await fleet.reaches(route);
      });
    });

    more?.(check, () => fleet);
  });
}

async function expectRefused(fleet: Fleet, route: TenantRoute, options: Partial<ClientOptions>): Promise<void> {
  const { answer, shown, error }: Outcome = await fleet.ask(route, { ca: undefined, ...options });
  expect({ route: route.hostname, ...options, answer, shown }).toEqual({ route: route.hostname, ...options, answer: undefined, shown: undefined });
  expect(error).not.toBe(SILENCE);
}

function sourcesOf({ sources }: TenantSpec, { sources: others }: TenantSpec): [host: string, from: string, foreign: string][] {
  return [[EDGE.v4, sources!.v4, others!.v4], [EDGE.v6, sources!.v6, others!.v6]];
}

function whole(hello: Buffer): Buffer[] {
  return [hello];
}

function inPackets(size: number): (hello: Buffer) => Buffer[] {
  return hello => Array.from({ length: Math.ceil(hello.length / size) }, (_, i) => hello.subarray(i * size, (i + 1) * size));
}
