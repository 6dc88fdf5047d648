# The tenant of ../main.ts in Python; the manifests are the same to the byte.
from cdk8s import App, Chart
from cdk8s_hosted_control_plane import (
    AddonImage,
    ControlPlanePlatform,
    IngressController,
    IngressExposedControlPlane,
    KonnectivityEntry,
    TcpProxyAddon,
    TenantCharts,
    TenantNetwork,
)

app = App()
management = Chart(app, "management")
tenants = TenantCharts(management, "tenants")

control_plane = IngressExposedControlPlane(
    management,
    "tenant-00",
    namespace="team-a",
    kubernetes_version="1.35.6",
    # Hosts follow Kamaji's pattern: team-a-tenant-00.k8s.clastix.cloud and team-a-tenant-00.konnectivity.clastix.cloud.
    domain="clastix.cloud",
    konnectivity=KonnectivityEntry(),
    platform=ControlPlanePlatform.kamaji(core_dns=AddonImage(), kube_proxy=AddonImage()),
    controller=IngressController.haproxy(ingress_class_name="haproxy"),
    network=TenantNetwork(dns_service_ips=["10.96.0.10"]),
)

TcpProxyAddon(tenants.of(control_plane), "tcp-proxy", control_plane=control_plane)

app.synth()
