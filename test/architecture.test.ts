import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cruise, type ICruiseOptions, type ICruiseResult, type IFlattenedRuleSet } from 'dependency-cruiser';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const fixtures = join(root, 'test', 'fixtures', 'architecture');
const configuration = createRequire(import.meta.url)(join(root, '.dependency-cruiser.cjs')) as IFlattenedRuleSet & {
  options: ICruiseOptions & { enhancedResolveOptions: object };
};
const FOLDERS = ['src', 'console'];
const rules = (configuration.forbidden ?? []).map((rule) => rule.name ?? '');

describe('the directions of the modules', () => {
  test('hold in src and console', async () => {
    const { modules, summary } = await cruised(root);
    // A compiler that dependency-cruiser cannot use makes it see nothing and pass: count what it saw.
    const seen = modules.map(({ source }) => source).filter((source) => /^(?:src|console)\/.*\.tsx?$/.test(source));
    expect(seen.sort()).toEqual(FOLDERS.flatMap((folder) => sourceFiles(folder)).sort());
    expect(seen.length).toBeGreaterThan(100);
    expect(summary.totalDependenciesCruised).toBeGreaterThan(seen.length);
    expect(violationsOf(summary)).toEqual([]);
  });

  test('each have a deliberate violation', () => {
    expect(readdirSync(fixtures).sort()).toEqual([...rules].sort());
  });

  test.each(rules)('%s rejects its deliberate violation and nothing else', async (rule) => {
    const { summary } = await cruised(join(fixtures, rule));
    const broken = summary.violations.map((violation) => violation.rule.name);
    expect(broken).toEqual([rule]);
  });
});

async function cruised(folder: string): Promise<ICruiseResult> {
  const { options, ...ruleSet } = configuration;
  const { enhancedResolveOptions, ...cruiseOptions } = options;
  const result = await cruise(
    FOLDERS.filter((name) => existsSync(join(folder, name))),
    { ...cruiseOptions, baseDir: folder, validate: true, ruleSet },
    enhancedResolveOptions,
  );
  return result.output as ICruiseResult;
}

function violationsOf(summary: ICruiseResult['summary']): string[] {
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
}

/** What the program itself is made of, in one of the folders. */
function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.ts$|^console\/(?:dist|generated)\//.test(path));
}
