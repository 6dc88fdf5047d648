import { execFileSync } from 'child_process';
import { built } from './support/packages';

/** What a user of Python writes: built-in classes extended, and a control plane that another app made. */
const PROGRAM = `
import json
from cdk8s import App, Chart, JsonPatch, Testing
from cdk8s_hosted_control_plane import (
    ControlPlanePlatform, HaproxyController, IngressController, IngressExposedControlPlane, KamajiPlatform, KonnectivityEntry,
    TcpProxyAddon, TenantCharts, TenantDelivery)

class CompanyHaproxy(HaproxyController):
    def __init__(self):
        super().__init__(ingress_class_name='edge')

    @property
    def display_name(self):
        return 'HAProxy of the company'

class OurKamaji(KamajiPlatform):
    def bind(self, scope, *, exposure, kubernetes_version, controller, operator_routes, api_server, labels, annotations):
        resource = super().bind(scope, exposure=exposure, kubernetes_version=kubernetes_version, controller=controller,
            operator_routes=operator_routes, api_server=api_server, labels=labels, annotations=annotations)
        resource.add_json_patch(JsonPatch.add('/metadata/annotations', {'cost-center': '4711'}))
        return resource

chart = Chart(App(), 'management')
controller, platform = CompanyHaproxy(), OurKamaji(replicas=3)

def expose(id, platform):
    return IngressExposedControlPlane(chart, id, namespace='tenants', kubernetes_version='1.34.3', domain='example.com',
        konnectivity=KonnectivityEntry(), platform=platform, controller=controller)

control_plane = expose('tenant-01', platform)
try:
    expose('tenant-02', ControlPlanePlatform.kamaji(unhandled_ingress_class_name='edge'))
    refusal = None
except Exception as error:
    refusal = str(error)

other = IngressExposedControlPlane.from_attributes(chart, 'other', namespace='tenants', hostname='api.example.com', kubernetes_version='1.34.3',
    platform=KamajiPlatform(), endpoints_owned_by_tcp_proxy=True)
tenants = TenantCharts(chart, 'tenants', delivery=TenantDelivery.sync())
proxy = TcpProxyAddon(tenants.of(other), 'tcp-proxy', control_plane=other)

print(json.dumps({
    'platform': isinstance(platform, ControlPlanePlatform),
    'controller': isinstance(controller, IngressController),
    'resource': control_plane.platform_object.to_json(),
    'classes': [route.to_json()['spec']['ingressClassName'] for route in control_plane.route_objects],
    'refusal': refusal,
    'host': proxy.exposure.api.host,
}))
`;

test('Python extends built-in controllers and platforms, and gives a control plane of elsewhere a tcp-proxy', () => {
  const env = { ...process.env, JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION: '20' };
  const result = JSON.parse(execFileSync(built('PYTHON'), ['-c', PROGRAM], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }));
  expect(result).toMatchObject({
    platform: true,
    controller: true,
    resource: { metadata: { annotations: { 'cost-center': '4711' } }, spec: { controlPlane: { deployment: { replicas: 3 } } } },
    classes: ['edge', 'edge'],
    host: 'api.example.com',
  });
  expect(result.refusal).toContain('unhandledIngressClassName: "edge" is the IngressClass of the HAProxy of the company controller');
});
