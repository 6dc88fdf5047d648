// The tenant of ../main.ts in Go; the manifests are the same to the byte.
package main

import (
	"github.com/aws/jsii-runtime-go"
	hcp "github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane-go/cdk8shostedcontrolplane"
	"github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2"
)

func main() {
	defer jsii.Close()

	app := cdk8s.NewApp(nil)
	management := cdk8s.NewChart(app, jsii.String("management"), nil)
	tenants := hcp.NewTenantCharts(management, jsii.String("tenants"), nil)

	controlPlane := hcp.NewIngressExposedControlPlane(management, jsii.String("tenant-00"), &hcp.IngressExposedControlPlaneProps{
		Namespace:         jsii.String("team-a"),
		KubernetesVersion: jsii.String("1.35.6"),
		// Hosts follow Kamaji's pattern: team-a-tenant-00.k8s.clastix.cloud and team-a-tenant-00.konnectivity.clastix.cloud.
		Domain:       jsii.String("clastix.cloud"),
		Konnectivity: &hcp.KonnectivityEntry{},
		Platform: hcp.ControlPlanePlatform_Kamaji(&hcp.KamajiProps{
			CoreDns:   &hcp.AddonImage{},
			KubeProxy: &hcp.AddonImage{},
		}),
		Controller: hcp.IngressController_Haproxy(&hcp.IngressAnnotationControllerProps{
			IngressClassName: jsii.String("haproxy"),
		}),
		Network: &hcp.TenantNetwork{DnsServiceIps: jsii.Strings("10.96.0.10")},
	})

	hcp.NewTcpProxyAddon(tenants.Of(controlPlane, nil), jsii.String("tcp-proxy"), &hcp.TcpProxyAddonProps{ControlPlane: controlPlane})

	app.Synth()
}
