import type { HelmChart } from './engine/definition';
import { GATEWAY_CHART } from './gateway';
import { TCP_PROXY_CHART } from './tcp-proxy';
import { TENANT_CERTIFICATES_CHART } from './tenant-certificates';

/** Every chart. */
export const HELM_CHARTS: readonly HelmChart<any>[] = [GATEWAY_CHART, TCP_PROXY_CHART, TENANT_CERTIFICATES_CHART];
