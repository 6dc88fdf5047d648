import { GatewayApiController, GatewayApiControllerProps } from './gateway-api';
import { TlsRouteVersion } from './gateway-route-options';
import { Installation } from './installation';
import { JoinedName } from './joined-names';
import { invalidInput } from '../validation/invalid-input';

/** @internal The GatewayClass that kgateway makes (`DefaultGatewayClassName` in `pkg/kgateway/wellknown`). */
export const KGATEWAY_CLASS = 'kgateway';

/**
 * kgateway, with a Gateway of its class `kgateway` (controller `kgateway.dev/kgateway`): one TLSRoute per host.
 *
 * Up to 2.2 it leads every host of a listener to the oldest of the listener's TLSRoutes, one tenant's clients to another
 * tenant (`translateTcpFilterChain` in `pkg/kgateway/translator/listener`). The releases that read `v1` keep the routes apart
 * (kgateway-dev/kgateway#13694), so the one version that those before read is an error.
 */
export class KgatewayController extends GatewayApiController {
  public override readonly type: string = 'kgateway';
  private readonly readsOlderVersions: boolean;

  public constructor(props: GatewayApiControllerProps) {
    super(props);
    const { tlsRouteVersion } = props;
    if (tlsRouteVersion === TlsRouteVersion.V1ALPHA2) {
      throw invalidInput('tlsRouteVersion', tlsRouteVersion, 'is all that kgateway up to 2.2 reads, which leads every host of a listener to its oldest route',
        'Use a newer kgateway, with v1, or with v1alpha3 where the CRDs are those of Gateway API 1.4');
    }
    this.readsOlderVersions = tlsRouteVersion === TlsRouteVersion.V1ALPHA3;
  }

  /** What has kgateway read versions of TLSRoute from before `v1`; it is on unless somebody turned it off. */
  public override helmValues(): { [key: string]: any } {
    return this.readsOlderVersions ? { controller: { extraEnv: { KGW_ENABLE_EXPERIMENTAL_GATEWAY_API_FEATURES: 'true' } } } : {};
  }

  /** @internal It keeps namespaces and names apart. */
  public override _joinedNames(): JoinedName[] {
    return [];
  }

  /** @internal */
  public override get _installation(): Installation {
    return {
      reason: 'has charts that this library does not know: one of definitions, and one of the controller, which makes the proxies of each Gateway',
      remedy: 'Install kgateway by its own instructions, with helmValues() of the controller; PassthroughGateway makes the Gateway',
    };
  }
}
