/**
 * Why the environment has variables that only a mistake explains, in one line: names that begin like settings, or differ
 * from one by a letter or two, and are none. undefined where there are none.
 */
export function mistakenVariables(
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly string[],
): string | undefined {
  const known = new Set(settings);
  const firstWords = new Set(settings.map(firstWordOf).filter((word) => !SHARED_WORDS.has(word)));
  const mistakes = Object.entries(environment).flatMap(([name, value]) => {
    if (known.has(name) || !value || isForeign(name, value)) return [];
    const meant = settings.find((setting) => isMisspelt(name.toUpperCase(), setting));
    if (meant !== undefined) return [`${name}: is no setting; did you mean ${meant}?`];
    return firstWords.has(firstWordOf(name))
      ? [`${name}: is no setting (.env.example lists those that begin with ${firstWordOf(name)}_)`]
      : [];
  });
  return mistakes.length === 0 ? undefined : mistakes.join('; ');
}

/** What Kubernetes gives the variable that is named like a setting, for a Service of that name. */
export function isServiceLink(value: string): boolean {
  return /^(?:tcp|udp|sctp):\/\//.test(value);
}

/** What stands before the first underscore; nothing where there is none. */
function firstWordOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf('_')));
}

/** Variables that Kubernetes sets in every pod for the Services beside it. */
const SERVICE_LINKS = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/;

/** Variables of Node and Docker begin with these words; so do two settings. */
const SHARED_WORDS = new Set(['', 'NODE', 'DOCKER']);

/** What npm, Azure, Python's requests and Jenkins call theirs. */
const OTHERS = /^(?:npm_\w+|IDENTITY_(?:ENDPOINT|HEADER)|REQUESTS_CA_BUNDLE|JOB_(?:BASE_NAME|DISPLAY_URL|NAME|URL))$/;

function isForeign(name: string, value: string): boolean {
  return OTHERS.test(name) || SERVICE_LINKS.test(name) || (name.endsWith('_PORT') && isServiceLink(value));
}

/** A short name is near too many others for more than a letter, and one that begins otherwise is seldom meant. */
function isMisspelt(name: string, setting: string): boolean {
  const most = (setting.length < 8 ? 1 : 2) - (name[0] === setting[0] ? 0 : 1);
  return Math.abs(name.length - setting.length) <= most && distance(name, setting) <= most;
}

/** Letters to add, take away, replace or exchange with their neighbour. */
function distance(from: string, to: string): number {
  let older: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 1; at <= from.length; at += 1) {
    const row = [at];
    for (let other = 1; other <= to.length; other += 1) {
      const isSame = from[at - 1] === to[other - 1];
      const isSwapped = at > 1 && other > 1 && from[at - 1] === to[other - 2] && from[at - 2] === to[other - 1];
      row[other] = Math.min(
        last[other]! + 1,
        row[other - 1]! + 1,
        last[other - 1]! + (isSame ? 0 : 1),
        isSwapped ? older[other - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
    older = last;
    last = row;
  }
  return last[to.length]!;
}
