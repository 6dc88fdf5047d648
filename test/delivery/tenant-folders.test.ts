import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'fs';
import { tmpdir } from 'os';
import { join } from 'path';
import { Chart } from 'cdk8s';
import { addConfigMap, Management } from './harness';
import { TenantCharts, TenantDelivery } from '../../src';
import { MARK } from '../../src/delivery/folder-mark';

/** The module itself, which a spy can change. */
const fs = jest.requireActual<typeof import('fs')>('fs');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tenant-folders-'));
  jest.spyOn(process, 'emitWarning').mockImplementation();
});
afterEach(() => {
  jest.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

const path = (...parts: string[]) => join(folder, ...parts);
const read = (...parts: string[]) => readFileSync(path(...parts), 'utf8');

/** All files that are there, but for those of the management cluster. */
function files(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(entry => !entry.isDirectory() && !entry.name.startsWith('management'))
    .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

interface Run {
  readonly delivery?: TenantDelivery;
  /** Output folder of the app. */
  readonly output?: string;
  readonly outputFolder?: string;
  /** More objects in a chart of their own, which has a file of its own. */
  readonly more?: boolean;
  readonly hello?: string;
}

function synthesize(tenants: string[], { delivery, output = 'dist', outputFolder = '../tenants', more, hello }: Run = {}): Management {
  const management = new Management(delivery, { app: { outdir: path(output) }, charts: { outputFolder } });
  for (const name of tenants) {
    const chart = management.tenant(name);
    if (hello !== undefined) {
      addConfigMap(chart, 'hello', { hello });
    }
    if (more) {
      addConfigMap(new Chart(chart.node.root as any, 'more'), 'more', {});
    }
  }
  management.app.synth();
  return management;
}

const of = (name: string, ...more: string[]) => [MARK, ...more, `${name}.k8s.yaml`].map(file => `tenants/tenants-${name}/${file}`);

describe('the mark of a tenant\'s folder', () => {
  test('says which files are whose', () => {
    synthesize(['tenant-01'], { more: true });
    expect(JSON.parse(read('tenants', 'tenants-tenant-01', MARK))).toEqual({
      comment: 'cdk8s-hosted-control-plane writes and removes the files that are listed here. Keep this one beside them, also in Git.',
      owner: { output: '../dist', charts: 'management/tenants' },
      files: ['more.k8s.yaml', 'tenant-01.k8s.yaml'],
    });
  });

  test('is the same wherever the project is', () => {
    const marks = ['one', 'two'].map(project => {
      synthesize(['tenant-01'], { output: `${project}/dist`, outputFolder: '' });
      return read(project, 'dist', 'tenants-tenant-01', MARK);
    });
    expect(JSON.parse(marks[0]).owner).toEqual({ output: '.', charts: 'management/tenants' });
    expect(marks[1]).toBe(marks[0]);
  });
});

describe('what was taken out', () => {
  test.each(['', 'tenants', '../tenants'])('is removed with its folder: a tenant, with the outputFolder "%s"', outputFolder => {
    synthesize(['tenant-01', 'tenant-02'], { outputFolder });
    synthesize(['tenant-02'], { outputFolder });
    expect(existsSync(path('dist', outputFolder, 'tenants-tenant-01'))).toBe(false);
    expect(read('dist', outputFolder, 'tenants-tenant-02', 'tenant-02.k8s.yaml')).toContain('hello: tenant-02');
  });

  test('is removed: the last tenant, and those that sync delivers now', () => {
    synthesize(['tenant-01']);
    synthesize([]);
    expect(files()).toEqual([]);
    synthesize(['tenant-01']);
    synthesize(['tenant-01'], { delivery: TenantDelivery.sync() });
    expect(files()).toEqual([]);
  });

  test('is removed from a folder that stays', () => {
    synthesize(['tenant-01'], { more: true });
    expect(files()).toEqual(of('tenant-01', 'more.k8s.yaml'));
    synthesize(['tenant-01']);
    expect(files()).toEqual(of('tenant-01'));
    expect(read('tenants', 'tenants-tenant-01', MARK)).not.toContain('more');
  });
});

describe('what somebody else wrote', () => {
  test('stays in the folder of a tenant, also when that is no more', () => {
    synthesize(['tenant-01', 'tenant-02']);
    writeFileSync(path('tenants', 'tenants-tenant-01', 'kustomization.yaml'), 'mine');
    synthesize(['tenant-01', 'tenant-02']);
    expect(files()).toContain('tenants/tenants-tenant-01/kustomization.yaml');
    synthesize(['tenant-02']);
    expect(files()).toEqual(['tenants/tenants-tenant-01/kustomization.yaml', ...of('tenant-02')]);
  });

  test('stays in other folders, and beside them', () => {
    mkdirSync(path('tenants', 'tenants-old'), { recursive: true });
    const mine = ['README.md', 'tenants-old/tenant-old.k8s.yaml'];
    mine.forEach(file => writeFileSync(path('tenants', file), 'mine'));
    synthesize(['tenant-01']);
    synthesize([]);
    expect(files()).toEqual(mine.map(file => `tenants/${file}`));
  });

  test('stays when it is of the app of another environment, with which the folder is shared', () => {
    synthesize(['tenant-01'], { output: 'dev' });
    synthesize(['tenant-02'], { output: 'prod' });
    synthesize([], { output: 'prod' });
    expect(files()).toEqual(of('tenant-01'));
  });

  test('is not written over by another environment, or another TenantCharts, and nothing else is written then', () => {
    synthesize(['tenant-01'], { output: 'dev', hello: 'dev' });
    expect(() => synthesize(['tenant-01'], { output: 'prod', hello: 'prod' })).toThrow(
      `management/tenants: folder: "${path('tenants', 'tenants-tenant-01')}" has the manifests of management/tenants of the app that writes to ${path('dev')}. ` +
      'Give each app, e.g. each environment, an outputFolder of its own; or delete the folder if that app writes it no more.');
    expect(read('tenants', 'tenants-tenant-01', 'tenant-01.k8s.yaml')).toContain('hello: dev');
    expect(existsSync(path('prod'))).toBe(false);

    const management = new Management(undefined, { app: { outdir: path('dev') } });
    new TenantCharts(management.chart, 'others', { outputFolder: '../tenants' }).of(management.controlPlane());
    expect(() => management.app.synth()).toThrow('management/others: folder: ');
  });

  test.each([['a file', () => writeFileSync(path('tenants', 'tenants-tenant-01'), 'mine')],
    ['a link', () => symlinkSync(folder, path('tenants', 'tenants-tenant-01'))]])('is not taken for a folder: %s', (_, make) => {
    mkdirSync(path('tenants'));
    make();
    expect(() => synthesize(['tenant-01'])).toThrow(`folder: "${path('tenants', 'tenants-tenant-01')}" is there and is no folder. Remove it, or set another "folder" in TenantCharts.of().`);
  });
});

describe('a mark that somebody else made', () => {
  const OWNER = { output: '../dist', charts: 'management/tenants' };

  function mark(name: string, content: unknown): void {
    mkdirSync(path('tenants', name), { recursive: true });
    writeFileSync(path('tenants', name, MARK), typeof content === 'string' ? content : JSON.stringify(content));
  }

  test.each([
    [['../../victim']], [['../victim']], [['..']], [['.']], [['']], [['a/../../../victim']], [['a/b/c']], [['/etc/hostname']], [['..\\victim']], [['a\0']], [[1]], ['victim'], [undefined],
  ])('removes nothing outside: files %j', names => {
    writeFileSync(path('victim'), 'mine');
    mark('old', { owner: OWNER, files: names });
    writeFileSync(path('tenants', 'victim'), 'mine');
    synthesize(['tenant-01']);
    expect(files()).toEqual(['tenants/old/' + MARK, ...of('tenant-01'), 'tenants/victim', 'victim']);
  });

  test('removes nothing through a link, and no folder', () => {
    mkdirSync(path('victims'));
    writeFileSync(path('victims', 'victim'), 'mine');
    mark('old', { owner: OWNER, files: ['link/victim', 'folder'] });
    symlinkSync(path('victims'), path('tenants', 'old', 'link'));
    mkdirSync(path('tenants', 'old', 'folder'));
    writeFileSync(path('tenants', 'old', 'folder', 'mine'), 'mine');
    mark('tenants-tenant-01', { owner: OWNER, files: ['link/victim'] });
    symlinkSync(path('victims'), path('tenants', 'tenants-tenant-01', 'link'));
    synthesize(['tenant-01']);
    expect(files()).toEqual(expect.arrayContaining(['victims/victim', 'tenants/old/folder/mine', 'tenants/old/link']));
  });

  test.each(['<<<<<<< HEAD', '{}', 'null', '{"owner":{"output":1,"charts":""},"files":[]}'])('is an error where it cannot be read: %s', content => {
    mark('tenants-tenant-01', content);
    expect(() => synthesize(['tenant-01'])).toThrow(`folder: "${path('tenants', 'tenants-tenant-01')}" has a file ${MARK} that cannot be read, so nobody knows which ` +
      'files are old. Delete the folder: it is written anew.');
    mark('tenants-tenant-01', { owner: OWNER, files: [] });
    mark('other', content);
    synthesize(['tenant-01']);
    expect(files()).toContain(`tenants/other/${MARK}`);
  });
});

describe('a run that ends before it is done', () => {
  /** Has the process end at one of the moments at which a file changes its name. */
  function endAt(moment: number): void {
    const rename = fs.renameSync;
    let count = 0;
    jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      if (count++ === moment) {
        throw new Error('ended');
      }
      rename(from, to);
    });
  }

  test('leaves each file as it was or as it is to be, and the next run makes it whole', () => {
    const expected = () => files().map(file => `${file}\n${read(file)}`);
    synthesize(['tenant-02', 'tenant-03'], { hello: 'new' });
    const whole = expected();
    let ended = 0;
    for (let moment = 0; moment < 20; moment++) {
      rmSync(path('tenants'), { recursive: true });
      synthesize(['tenant-01', 'tenant-02'], { hello: 'old', more: true });
      endAt(moment);
      try {
        synthesize(['tenant-02', 'tenant-03'], { hello: 'new' });
      } catch (error: any) {
        expect(error.message).toBe('ended');
        ended++;
      }
      jest.restoreAllMocks();
      for (const file of files().filter(name => name.endsWith('.k8s.yaml') && !name.includes('/more.'))) {
        expect(read(file)).toMatch(/hello: (old|new)\n$/);
      }
      synthesize(['tenant-02', 'tenant-03'], { hello: 'new' });
      expect(expected()).toEqual(whole);
    }
    // Two marks and one file each, and the mark anew where something was taken out.
    expect(ended).toBe(5);
  });

  test('leaves nothing that the next run does not remove', () => {
    let staging = '';
    const rename = fs.renameSync;
    jest.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      staging ||= readdirSync(path('tenants')).find(name => name.startsWith('.'))!;
      rename(from, to);
    });
    synthesize(['tenant-01']);
    jest.restoreAllMocks();
    expect(staging).toMatch(/^\.tenants-[0-9a-f]{10}$/);
    mkdirSync(path('tenants', staging, 'half'), { recursive: true });
    writeFileSync(path('tenants', 'tenants-tenant-01', `${MARK}.new`), '{');
    synthesize([]);
    expect(files()).toEqual([]);
    expect(readdirSync(path('tenants'))).toEqual([]);
  });
});
