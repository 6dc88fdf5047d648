import { IConstruct } from 'constructs';
import { Warnings } from '../synthesis/warnings';
import { invalidInput } from '../validation/invalid-input';

/** The image that belongs to this version of the library. */
export const DEFAULT_TCP_PROXY_IMAGE = 'ghcr.io/cdk8s-hosted-control-plane/tcp-proxy:0.1.0';

const PULL_POLICIES = ['Always', 'IfNotPresent', 'Never'];

/** Checks what the API server would refuse in a pod. */
export function validateImage({ image, imagePullPolicy }: { readonly image?: string; readonly imagePullPolicy?: string }): void {
  if (image?.trim() === '') {
    throw invalidInput('image', image, 'is empty', 'Give an image, or leave it out');
  }
  if (imagePullPolicy !== undefined && !PULL_POLICIES.includes(imagePullPolicy)) {
    throw invalidInput('imagePullPolicy', imagePullPolicy, 'is not one that there is', `Choose among ${PULL_POLICIES.join(', ')}`);
  }
}

/** A tag that moves makes two nodes run different proxies. */
export function warnOfFloatingImage(scope: IConstruct, image: string): void {
  const tag = /:([^:/@]+)(@|$)/.exec(image)?.[1];
  if (!image.includes('@') && (tag === undefined || tag === 'latest')) {
    Warnings._add(scope, `image: "${image}" has no fixed tag, so nodes may run different versions. Give a version tag or a digest.`);
  }
}
