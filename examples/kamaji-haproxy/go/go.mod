module example.com/kamaji-haproxy

go 1.25

require (
	github.com/aws/jsii-runtime-go v1.140.0
	github.com/cdk8s-hosted-control-plane/cdk8s-hosted-control-plane-go/cdk8shostedcontrolplane v0.0.0
	github.com/cdk8s-team/cdk8s-core-go/cdk8s/v2 v2.70.106
)
