// Bodies that are hard to read: each shape fills the given bytes with what makes a parser slow.

/** JSON of about so many bytes, by what makes it hard. */
export function hostileJson(bytes: number): Readonly<Record<string, string>> {
  const filled = (part: string, last: string, [open, close]: [string, string] = ['[', ']']) =>
    open +
    part.repeat(Math.max(0, Math.floor((bytes - open.length - close.length - last.length) / part.length))) +
    last +
    close;
  const numbered = (part: (at: number) => string, [open, close]: [string, string] = ['[', ']']) => {
    const parts: string[] = [];
    for (let at = 0, length = 2; ; at++) {
      const next = part(at);
      length += next.length + 1;
      if (length > bytes) return open + parts.join(',') + close;
      parts.push(next);
    }
  };
  const object: [string, string] = ['{', '}'];
  return {
    'a number of zeros': filled('0', '1}', ['{"username":1.', '']),
    'a number of nines': filled('9', '9', ['', '']),
    'numbers with an exponent': filled('1e5,', '1e5'),
    'very large numbers': filled('1e300,', '1'),
    'very small numbers': filled('1e-300,', '1'),
    'small numbers': filled('1,', '1'),
    'numbers of 17 digits': filled('12345678901234567,', '1'),
    'numbers that a double just holds': filled('9007199254740992,', '1'),
    'numbers with long fractions': filled('1.234567890123456,', '1'),
    'long numbers that a double holds': filled(`9007199254740992${'0'.repeat(24)},`, '1'),
    'signs alone': filled('-', '-', ['', '']),
    nulls: filled('null,', '1'),
    'empty lists': filled('[],', '1'),
    'empty objects': filled('{},', '1'),
    'open brackets': filled('[', '[', ['', '']),
    'nested lists': filled(`${'['.repeat(60)}${']'.repeat(60)},`, '1'),
    'nested objects': filled('{"a":', '1', ['', '']),
    'many names': numbered((at) => `"name${at}":1`, object),
    'numbers as names': numbered((at) => `"${at}":1`, object),
    'objects of a name each': numbered((at) => `{"k${at}":1}`),
    'objects of few names': numbered((at) => `{"a${at % 900}":1,"b${at % 899}":2}`),
    'a name again and again': filled('"a":1,', '"a":1', object),
    'an empty name again and again': filled('"":1,', '"":1', object),
    'escaped names': numbered((at) => `"\\u00${((at % 90) + 16).toString(16)}${at}":1`, object),
    escapes: filled('\\u0041', '"]', ['["', '']),
    'escaped backslashes': filled('\\\\', '"]', ['["', '']),
    'quotation marks without end': filled('\\"', '', ['"', '']),
    'empty texts': filled('"",', '""'),
    'letters of two bytes': filled('é', '"]', ['["', '']).slice(0, bytes / 2),
    colons: filled(':', ':', ['', '']),
    blanks: filled(' ', ' ', ['', '']),
  };
}

/** Forms of about so many bytes. */
export function hostileForms(bytes: number): Readonly<Record<string, string>> {
  const filled = (part: string, first = '') => first + part.repeat(Math.floor((bytes - first.length) / part.length));
  const fields: string[] = [];
  for (let at = 0, length = 0; length < bytes; at++) length += fields.push(`name${at}=1`) && `name${at}=1&`.length;
  return {
    'many names': fields.join('&').slice(0, bytes),
    'a name again and again': filled('a=1&'),
    'separators alone': filled('&'),
    'equals signs alone': filled('='),
    'escaped letters': filled('%41', 'script='),
    'broken escapes': filled('%', 'script='),
    'bytes of no letter': filled('%ff', 'script='),
    blanks: filled('+', 'script='),
  };
}
