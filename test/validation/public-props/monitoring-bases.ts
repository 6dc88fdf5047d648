import { annotations, Base, Bases, labels } from './base';
import { GrafanaDashboard, Monitoring, SharedIngressGateway } from '../../../src';

/** Of a gateway, as of every other use of the image. */
function usedBy(monitoring: (made: any) => Monitoring, ...args: any[]): Base {
  return {
    args: () => args,
    use: (made, management) => { new SharedIngressGateway(management, 'edge', { namespace: 'edge', monitoring: monitoring(made) }); },
  };
}

const withDashboard = (dashboard: GrafanaDashboard) => Monitoring.prometheusOperator({ dashboard });

export const MONITORING_BASES: Bases = {
  'Monitoring.prometheusOperator': [{
    ...usedBy(made => made),
    args: () => [{
      labels: labels(),
      scrapeIntervalSeconds: 30,
      alerts: true,
      alertLabels: { team: 'edge' },
      runbookUrl: 'https://runbooks.example.com/edge',
      dashboard: GrafanaDashboard.configMap(),
    }],
  }],
  'GrafanaDashboard.configMap': [usedBy(withDashboard, { labels: labels(), annotations: annotations() })],
  'GrafanaDashboard.grafanaOperator': [usedBy(withDashboard, { instanceLabels: labels(), folder: 'Edge' })],
};
