import { failed, ok, Outcome, skipped } from '../hop';
import { AdminKubeconfig, hostPort } from '../target';

/** Kamaji and Steward leave the port in it as it was when that of the control plane changes, e.g. to a port of the tenant's at the shared address. */
export function judgeAdminKubeconfig(kubeconfig: AdminKubeconfig | undefined): Outcome {
  if (!kubeconfig) return skipped('no kubeconfig of the operator is known: give its super-admin.svc as --tenant-kubeconfig, and --manifests or --kubeconfig');
  const { server, servicePort } = kubeconfig;
  return server.port === servicePort ? ok(hostPort(server)) : failed(
    `${hostPort(server)} is named, but the Service has port ${servicePort}: sync and the operator do not reach the tenant with it`,
    'delete the Secret that it is in (<name>-admin-kubeconfig): the operator makes it again, with the port of now');
}
