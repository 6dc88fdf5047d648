import { mkdtempSync, rmSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Yaml } from 'cdk8s';
import { carriedTexts, Source, sourcesOf } from '../manifests/source';

/**
 * The objects that ConfigMaps and Secrets carry to tenants, each once; what is among the others as well, because the tenant's
 * chart was given too, is left out. Text that is no manifest is nobody's fault.
 */
export function carriedManifests(sources: Source[]): Source[] {
  const texts = sources.flatMap(carriedTexts);
  if (texts.length === 0) {
    return [];
  }
  const given = new Set(sources.map(({ object }) => JSON.stringify(object)));
  return parsed(texts).flatMap(object => sourcesOf(object, '', 1)).filter(({ object }) => !given.has(JSON.stringify(object)));
}

/** cdk8s starts a process for each file that it reads, and takes 10 MiB of it. */
const MAX_FILE_BYTES = 8 * 1024 * 1024;

function parsed(texts: string[]): unknown[] {
  return batches(texts).flatMap(batch => {
    try {
      return load(batch.join('\n---\n'));
    } catch {
      return batch.length === 1 ? [] : batch.flatMap(text => parsed([text]));
    }
  });
}

function batches(texts: string[]): string[][] {
  const result: string[][] = [];
  let size = Infinity;
  for (const text of texts) {
    size += Buffer.byteLength(text);
    if (size > MAX_FILE_BYTES) {
      result.push([]);
      size = Buffer.byteLength(text);
    }
    result[result.length - 1].push(text);
  }
  return result;
}

function load(text: string): unknown[] {
  const folder = mkdtempSync(join(tmpdir(), 'carried-manifests-'));
  try {
    const file = join(folder, 'manifests.yaml');
    writeFileSync(file, text);
    return Yaml.load(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
