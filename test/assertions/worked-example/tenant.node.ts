import * as assert from 'node:assert/strict';
import { test } from 'node:test';
import { Testing } from 'cdk8s';
import { Tenant } from './tenant';
import { SynthesizedPlatform } from '../../../src';

const app = Testing.app();
const { cluster } = new Tenant(app, 'tenant-01');

void test('nothing in the manifests disagrees', () => {
  assert.deepEqual(SynthesizedPlatform.ofApp(app).findings(), []);
});

void test('the tcp-proxy connects to the API server that it verifies', () => {
  const { host, verified } = SynthesizedPlatform.of(cluster).proxyUpstream();

  assert.deepEqual([host, verified], ['tenants-tenant-01.k8s.example.com', true]);
});
