import { PROMETHEUS_OPERATOR, PrometheusOperatorProps } from './prometheus-operator-props';
import { nameFactories } from '../validation/factories';
import { struct } from '../validation/props';

/** How Prometheus comes to the metrics of the pods, and what it makes of them. */
export class Monitoring {
  /** Annotations `prometheus.io/…` of the Service with the metrics, for a Prometheus that discovers by them, as that of the community's chart. */
  public static annotations(): Monitoring {
    return new Monitoring();
  }

  /**
   * Objects of prometheus-operator: a PodMonitor, a PrometheusRule with the alerts, and a dashboard if one is wanted. Their kinds
   * must exist in the cluster of the pods, for a tcp-proxy in that of the tenant.
   */
  public static prometheusOperator(props: PrometheusOperatorProps = {}): Monitoring {
    struct(PROMETHEUS_OPERATOR)('monitoring', props);
    return new Monitoring(props);
  }

  private constructor(
    /** @internal */
    public readonly _operator?: PrometheusOperatorProps,
  ) {}
}

nameFactories(Monitoring);
