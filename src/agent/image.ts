import { IConstruct } from 'constructs';
import { Warnings } from '../synthesis/warnings';

/** The image that belongs to this version of the library. */
export const DEFAULT_TCP_PROXY_IMAGE = 'ghcr.io/cdk8s-hosted-control-plane/tcp-proxy:0.1.0';

/** A tag that moves makes two nodes run different proxies. */
export function warnOfFloatingImage(scope: IConstruct, image: string): void {
  const tag = /:([^:/@]+)(@|$)/.exec(image)?.[1];
  if (!image.includes('@') && (tag === undefined || tag === 'latest')) {
    Warnings._add(scope, `image: "${image}" has no fixed tag, so nodes may run different versions. Give a version tag or a digest.`);
  }
}
