import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// npm run sbom: what an installation without the packages of development consists of, as CycloneDX, on the standard
// output: npm's own list of package-lock.json, and the Node that scripts/setup.mjs brings where the machine's is too old.

interface Component {
  readonly 'bom-ref': string;
  name: string;
  licenses?: readonly { readonly license: { readonly id: string } }[];
  readonly [field: string]: unknown;
}

interface Bill {
  readonly metadata: { readonly component: Component };
  components: Component[];
  dependencies: { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Licences of packages that say them in a file alone. */
const LICENCES_IN_FILES: Readonly<Record<string, string>> = { 'png-js': 'MIT' };

const root = fileURLToPath(new URL('..', import.meta.url));
// Not --omit=dev: npm 11 then leaves out what development needs as well, such as zod.
const options = ['--sbom-format', 'cyclonedx', '--sbom-type', 'application', '--package-lock-only'];
const npm = spawnSync('npm', ['sbom', ...options, '--loglevel=error'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
  shell: process.platform === 'win32',
});
if (npm.status !== 0) {
  console.error(`sbom: npm sbom failed: ${(npm.error?.message ?? npm.stderr).trim()}`);
  process.exit(1);
}
const bill: Bill = JSON.parse(npm.stdout);
bill.metadata.component.name = 'partidas';
const running = namesOfRunning();
bill.components = bill.components.filter((each) => running.has(each['bom-ref']));
bill.dependencies = bill.dependencies
  .filter(({ ref }) => running.has(ref) || ref === bill.metadata.component['bom-ref'])
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((each) => running.has(each)) }));
for (const component of bill.components) {
  const id = LICENCES_IN_FILES[component.name];
  if (component.licenses === undefined && id !== undefined) component.licenses = [{ license: { id } }];
}
bill.components.push(...broughtNodes());
console.log(JSON.stringify(bill, null, 2));

function namesOfRunning(): Set<string> {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const packages = Object.entries<{ version: string; dev?: boolean }>(lock.packages);
  const inside = /^.*node_modules\//;
  return new Set(
    packages
      .filter(([, { dev }]) => dev !== true)
      .map(([path, { version }]) => `${path.replace(inside, '')}@${version}`),
  );
}

/** One of them is there, at most. */
function broughtNodes(): Component[] {
  const pinned: Record<string, { version: string; integrity: string }> = JSON.parse(
    readFileSync(new URL('node-packages.json', import.meta.url), 'utf8'),
  );
  return Object.entries(pinned).map(([name, { version, integrity }]) => ({
    'bom-ref': `${name}@${version}`,
    type: 'application',
    name,
    version,
    scope: 'optional',
    purl: `pkg:npm/${name}@${version}`,
    hashes: [{ alg: 'SHA-512', content: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') }],
    licenses: [{ license: { id: 'MIT' } }],
  }));
}
