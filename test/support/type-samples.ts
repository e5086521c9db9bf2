import ts from 'typescript';

/** Values of a type, or undefined for a type that it knows nothing of. */
export type Special = (type: ts.Type, name: string) => { readonly value: unknown } | undefined;

/**
 * Makes values of types, choosing by chance among the members of unions and, for a text, among the words; the same seed
 * gives the same values.
 */
export function createSampler(checker: ts.TypeChecker, special: Special, words: readonly string[], seed: number) {
  let state = Math.imul(seed, 2_654_435_761) >>> 0;
  const below = (count: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * count);
  };
  const sample = (type: ts.Type, depth = 0): unknown => {
    const name = type.aliasSymbol?.name ?? type.symbol?.name ?? '';
    const known = special(type, name);
    if (known) return known.value;
    if (type.isUnion()) return sample(type.types[below(type.types.length)]!, depth);
    const simple = simpleSample(checker, type, name);
    if (simple) return simple.value === '1' ? ['1', ...words][below(words.length + 1)] : simple.value;
    if (depth > 6) return undefined;
    const [call] = type.getCallSignatures();
    if (call) return () => sample(checker.getReturnTypeOfSignature(call), depth + 1);
    return structured(type, name, depth);
  };
  const structured = (type: ts.Type, name: string, depth: number): unknown => {
    const parameters = checker.getTypeArguments(type as ts.TypeReference);
    const [first, second] = parameters;
    if (checker.isTupleType(type)) return parameters.map((each) => sample(each, depth + 1));
    if (checker.isArrayType(type)) return [sample(first!, depth + 1)];
    if (/^(Readonly)?Map$/.test(name)) return new Map([[sample(first!, depth + 1), sample(second!, depth + 1)]]);
    if (/^(Readonly)?Set$/.test(name)) return new Set([sample(first!, depth + 1)]);
    if (name === 'Promise') return Promise.resolve(sample(first!, depth + 1));
    if (/^Async(Iterable|Iterator|Generator)/.test(name)) return oneByOne(sample(first!, depth + 1));
    if (name === 'Date') return new Date(0);
    const isTable = checker.getIndexTypeOfType(type, ts.IndexKind.String) && type.getProperties().length === 0;
    if (isTable) return new Proxy({}, { get: () => '1' });
    if (name === 'Buffer' || name === 'Uint8Array') return Buffer.from('1');
    return Object.fromEntries(
      type.getProperties().map((property) => [property.name, sample(checker.getTypeOfSymbol(property), depth + 1)]),
    );
  };
  return { sample, below };
}

function simpleSample(checker: ts.TypeChecker, type: ts.Type, name: string): { readonly value: unknown } | undefined {
  if (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) return { value: undefined };
  if (type.flags & ts.TypeFlags.Null) return { value: null };
  if (type.isStringLiteral() || type.isNumberLiteral()) return { value: type.value };
  if (type.flags & ts.TypeFlags.BooleanLiteral) return { value: checker.typeToString(type) === 'true' };
  // Also branded ones, which are intersections.
  const parts = type.isIntersection() ? type.types : [type];
  if (parts.some((part) => part.flags & ts.TypeFlags.StringLike)) {
    return { value: name === 'Month' ? '2026-01' : name === 'Day' ? '2026-01-15' : '1' };
  }
  if (parts.some((part) => part.flags & ts.TypeFlags.NumberLike)) return { value: 1 };
  if (parts.some((part) => part.flags & ts.TypeFlags.BigIntLike)) return { value: 1n };
  return type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown) ? { value: '1' } : undefined;
}

async function* oneByOne(value: unknown): AsyncGenerator<unknown> {
  yield value;
}
