import { ApiObject, Lazy } from 'cdk8s';
import type { k8s } from 'cdk8s-plus-30';
import { Construct } from 'constructs';
import { TenantRegistrationProps } from './registration-props';
import { RegistrationRoles } from './registration-roles';
import { AgentPod, AgentWorkload } from '../../agent/agent-workload';
import { REGISTER, REGISTER_DEFAULTS } from '../../agent/contract/commands';
import { agentArgs, inSeconds } from '../../agent/contract/flags';
import { ALL_ADDRESSES, HEALTH_PORT } from '../../agent/contract/health';
import { REGISTRATIONS_FOLDER } from '../../agent/contract/paths';
import { Registration, REGISTRATION_APP, Registrations, REGISTRATIONS_FILE, REGISTRATIONS_VERSION } from '../../agent/contract/registrations';
import { Plain } from '../../objects/plain';
import { claimObjectName, claimObjects } from '../../synthesis/object-claims';
import { invalidInput } from '../../validation/invalid-input';
import { DeliveryScope, DeliveryTenant } from '../delivery-engine';
import { tenantName } from '../tenant-name';

/** A ConfigMap holds a megabyte, with its metadata. */
const LARGEST_LIST = 900 * 1024;

/** What a delivery says of a tenant that is to be registered. */
export type RegistrationWish = Pick<Registration, 'owner' | 'as'> & { readonly namespace: string };

/** `register` of the image, and what it is told of each tenant. */
export class TenantRegistration {
  private readonly workload: AgentWorkload;

  /** @throws when a property cannot work */
  public constructor(private readonly props: TenantRegistrationProps) {
    this.workload = new AgentWorkload(props, {
      command: 'register',
      app: REGISTRATION_APP,
      name: props.name ?? REGISTER_DEFAULTS.name,
      namespace: props.namespace ?? REGISTER_DEFAULTS.name,
      defaults: { resources: defaultResources() },
    });
  }

  /** Emits the program; what is returned registers one more tenant, and returns why the list cannot be written. */
  public start({ holder, managementCluster }: DeliveryScope): (tenant: DeliveryTenant, wish: RegistrationWish) => () => string[] {
    const scope = new Construct(holder, 'registration');
    const registrations: Registration[] = [];
    this.addProgram(scope, () => listOf(registrations));
    claimObjects(holder, managementCluster);
    const roles = new RegistrationRoles(scope, this.workload, managementCluster);
    return ({ controlPlane, tenant }, { namespace, owner, as }) => {
      if (controlPlane.managementCluster !== managementCluster) {
        throw invalidInput('registration', controlPlane.node.path, `is in the cluster "${controlPlane.managementCluster}", whose Secrets "${managementCluster}" cannot read`,
          'Register its cluster by hand, or deliver it from its own management cluster');
      }
      const { adminKubeconfig: { secretName, keys }, exposure, managementScope } = tenant;
      const name = registeredName({ tenant }, as.kind);
      claimObjectName(managementScope, { kind: 'Secret', group: '', namespace, name }, managementCluster);
      const registration: Registration = {
        tenant: { namespace: exposure.namespace, name: exposure.name }, kubeconfig: { secretName, keys }, secret: { namespace, name }, owner, as,
      };
      registrations.push(registration);
      roles.add(registration);
      return () => errorsOf(registrations);
    };
  }

  private addProgram(scope: Construct, list: () => string): void {
    const { props, workload } = this;
    const { metadata } = workload;
    workload.warn(scope);
    if (props.createNamespace ?? true) {
      workload.addNamespace(scope);
    }
    workload.addServiceAccount(scope);
    new ApiObject(scope, 'config-map', { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { [REGISTRATIONS_FILE]: Lazy.any({ produce: list }) } });
    workload.addDeployment(scope, { replicas: 1 }, workload.podTemplate(this.pod()));
    workload.addMonitoring(scope, 'metrics', HEALTH_PORT);
  }

  /** It depends on no tenant, so no tenant's change rolls it: the list is read anew each time. */
  private pod(): AgentPod {
    const { metadata: { name }, logLevel } = this.workload;
    return {
      container: 'register',
      args: agentArgs(REGISTER, {
        interval: inSeconds(this.props.intervalSeconds ?? REGISTER_DEFAULTS.intervalSeconds),
        healthAddress: [`${ALL_ADDRESSES}:${HEALTH_PORT}`],
        logLevel,
      }),
      healthPort: HEALTH_PORT,
      mounts: [{ volume: { name: 'registrations', configMap: { name } }, mountPath: REGISTRATIONS_FOLDER }],
      asksApi: true,
      spreadOver: [],
    };
  }
}

/** Name of the Secret by which a delivery reaches a tenant. */
export function registeredName({ tenant: { exposure } }: Pick<DeliveryTenant, 'tenant'>, kind: Registration['as']['kind']): string {
  return `${tenantName(exposure)}-${kind === 'flux' ? 'kubeconfig' : 'cluster'}`;
}

function listOf(registrations: Registration[]): string {
  const title = ({ tenant: { namespace, name } }: Registration) => `${namespace}/${name}`;
  const list: Registrations = {
    version: REGISTRATIONS_VERSION,
    // The order of construction must not show.
    registrations: [...registrations].sort((a, b) => (title(a) < title(b) ? -1 : 1)),
  };
  return JSON.stringify(list, null, 1);
}

function errorsOf(registrations: Registration[]): string[] {
  const size = Buffer.byteLength(listOf(registrations));
  return size <= LARGEST_LIST ? [] : [invalidInput('registration', `${registrations.length} tenants`, `have a list of ${size} bytes, and a ConfigMap holds ${LARGEST_LIST}`,
    'Give some of them TenantCharts of their own, with another name and namespace of the registration').message];
}

function defaultResources(): Plain<k8s.ResourceRequirements> {
  return {
    requests: { cpu: '10m', memory: '64Mi' },
    limits: { memory: '192Mi' },
  };
}
