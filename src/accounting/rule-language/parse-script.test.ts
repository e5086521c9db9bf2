import { describe, expect, it } from 'vitest';
import { compileScript } from './compile-script.ts';
import { Diagnostics } from './diagnostic.ts';
import { parseScript } from './parse-script.ts';
import type { Expression } from './script.ts';

/** The diagnostics as 'CODE line:column', errors only. */
function errorsOf(source: string): string[] {
  return compileScript(source)
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, line, column }) => `${code} ${line}:${column}`);
}

/** The expression with every grouping shown. */
function shapeOf(source: string): string {
  const diagnostics = new Diagnostics();
  const [statement] = parseScript(`RETORNA ${source}`, diagnostics).statements;
  expect(diagnostics.inOrder()).toEqual([]);
  return statement?.kind === 'return' ? shape(statement.value) : '?';
}

function shape(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
    case 'name':
      return expression.spelling;
    case 'group':
      return shape(expression.inner);
    case 'negation':
      return `(-${shape(expression.operand)})`;
    case 'not':
      return `(NAO ${shape(expression.operand)})`;
    case 'comparison':
      return `(${shape(expression.left)} ${expression.operator} ${shape(expression.right)})`;
    case 'sum':
    case 'product':
    case 'and':
    case 'or':
      return `(${[shape(expression.first), ...expression.rest.map((link) => `${link.operator} ${shape(link.operand)}`)].join(' ')})`;
    default:
      return expression.kind;
  }
}

describe('precedence', () => {
  it.each([
    ['a OU b E c', '(a OU (b E c))'],
    ['NAO a E b', '((NAO a) E b)'],
    ['NAO a = b', '(NAO (a = b))'],
    ['NAO NAO a', '(NAO (NAO a))'],
    ['a + b > c * d', '((a + b) > (c * d))'],
    ['a - b - c', '(a - b - c)'],
    ['a - (b - c)', '(a - (b - c))'],
    ['a / b * c', '(a / b * c)'],
    ['-a * b', '((-a) * b)'],
    ['a - -b', '(a - (-b))'],
    ['--a', '(-(-a))'],
    ['a = b OU c == d', '((a = b) OU (c = d))'],
    ['a <> b', '(a <> b)'],
    ['a != b', '(a <> b)'],
    ['a<=b E c>=d E NAO f', '((a <= b) E (c >= d) E (NAO f))'],
  ])('%s', (source, expected) => {
    expect(shapeOf(source)).toBe(expected);
  });
});

describe('words', () => {
  it('are keywords in any case and without accents', () => {
    expect(
      errorsOf('se 1 = 1 Então\nerro "a"\nsenãose 1 = 2 entao\nSenÃo\nfim\nretorna não falso é Verdadeiro'),
    ).toEqual([]);
  });

  it('are functions in any case and without accents', () => {
    expect(errorsOf('RETORNA saldo_conta("1") + Variação_Saldo("1")')).toEqual([]);
  });

  it('are names in any case, accents telling them apart', () => {
    expect(errorsOf('Ação = 1\nRETORNA AÇÃO')).toEqual([]);
    expect(errorsOf('ação = 1\nRETORNA acao')).toEqual(['NAME_NEVER_ASSIGNED 2:9']);
    expect(errorsOf('ação = 1\nRETORNA ação'.normalize('NFD'))).toEqual([]);
    expect(errorsOf(`${'ação'.normalize('NFD')} = 1\nRETORNA ação`)).toEqual([]);
  });

  it('such as __proto__ are ordinary names', () => {
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', '_', 'x1']) {
      expect(errorsOf(`RETORNA ${name}`)).toEqual(['NAME_NEVER_ASSIGNED 1:9']);
      expect(errorsOf(`RETORNA ${name}(1)`)).toEqual(['UNKNOWN_FUNCTION 1:9']);
      expect(errorsOf(`${name} = 1\nRETORNA ${name}`)).toEqual([]);
    }
  });

  it('that are reserved take no value', () => {
    for (const word of ['SE', 'fim', 'Senão', 'E', 'OU', 'RETORNA', 'erro', 'ABS', 'saldo_conta', 'verdadeiro']) {
      expect(errorsOf(`${word} = 1`)).toEqual(['RESERVED_NAME 1:1']);
    }
  });

  it('with a foreign letter whose capital is a Latin one are no keywords', () => {
    expect(errorsOf('ſE = 1\nRETORNA ſE')).toEqual([]);
  });
});

describe('lines', () => {
  it('end statements, as semicolons do', () => {
    expect(errorsOf('a = 1; b = a;; RETORNA b;')).toEqual([]);
    expect(errorsOf('a = 1\r\nb = a\rRETORNA b\r\n')).toEqual([]);
    expect(errorsOf('a = 1 b = 2')).toEqual(['UNEXPECTED 1:7']);
    expect(errorsOf('a = 1 +\n2')).toEqual(['UNEXPECTED 1:8']);
  });

  it('are blanks inside parentheses', () => {
    expect(errorsOf('RETORNA (1 +\n\n 2) * MAX(\n1,\n2\n)')).toEqual([]);
  });

  it('end comments', () => {
    expect(errorsOf('# only a comment')).toEqual([]);
    expect(errorsOf('a = 1 # one\nRETORNA a#two')).toEqual([]);
    expect(errorsOf('RETORNA "#" + 1 # = (')).toEqual([]);
  });

  it('are not needed between the words of an SE', () => {
    expect(errorsOf('SE 1 = 1 ENTAO ERRO "a" SENAOSE 1 = 2 ENTAO ERRO "b"; ERRO "c" SENAO ERRO "d" FIM')).toEqual([]);
  });
});

describe('SE', () => {
  it('after SENAO opens one of its own, with its own FIM', () => {
    expect(errorsOf('SE 1=1 ENTAO\nSENAO SE 1=2 ENTAO\nFIM\nFIM')).toEqual([]);
    expect(errorsOf('SE 1=1 ENTAO\nSENAO SE 1=2 ENTAO\nFIM')).toEqual(['UNEXPECTED 3:4']);
    expect(errorsOf('SE 1=1 ENTAO\nSENAOSE 1=2 ENTAO\nFIM')).toEqual([]);
  });

  it('says which one is left open', () => {
    const [open] = compileScript('\nSE 1 = 1 ENTAO\n  ERRO "x"').diagnostics;
    expect(open).toMatchObject({ line: 3, column: 11 });
    expect(open?.found).toEqual({ pt: 'fim do script', en: 'end of the script' });
    expect(open?.expected.pt).toBe('FIM do SE da linha 2');
  });

  it('wants its words in order', () => {
    expect(errorsOf('SE 1=1 ENTAO\nSENAO\nSENAOSE 1=2 ENTAO\nFIM')).toEqual(['UNEXPECTED 3:1']);
    expect(errorsOf('SE 1=1 ENTAO\nSENAO\nSENAO\nFIM')).toEqual(['UNEXPECTED 3:1']);
    expect(errorsOf('FIM')).toEqual(['UNEXPECTED 1:1']);
    expect(errorsOf('SE 1=1\nERRO "a"\nFIM')).toEqual(['UNEXPECTED 1:7']);
  });
});

describe('numbers', () => {
  it.each(['1.', '1..2', '1.1.10', '12abc', '1e5', '1_000'])('%s is none', (text) => {
    expect(errorsOf(`RETORNA ${text}`)).toEqual(['INVALID_NUMBER 1:9']);
  });

  it('begin with a digit', () => {
    expect(errorsOf('RETORNA .5')).toEqual(['INVALID_NUMBER 1:9']);
    expect(errorsOf('RETORNA 1 . 5')).toEqual(['INVALID_CHARACTER 1:11']);
  });
});

describe('texts', () => {
  it('insert expressions, texts within them included', () => {
    expect(errorsOf('a = 1\nRETORNA "x{a}y{"z{a + 1}"}{MAX(a, (2))}"')).toEqual([]);
  });

  it('know three escapes', () => {
    expect(errorsOf(String.raw`RETORNA "\"\\\{}"`)).toEqual([]);
    expect(errorsOf(String.raw`RETORNA "a\n"`)).toEqual(['INVALID_ESCAPE 1:11']);
  });

  it('end on their line', () => {
    expect(errorsOf('ERRO "abc\nERRO "d"')).toEqual(['UNTERMINATED_TEXT 1:6']);
    expect(errorsOf('ERRO "abc')).toEqual(['UNTERMINATED_TEXT 1:6']);
    expect(errorsOf('ERRO "abc\\')).toEqual(['UNTERMINATED_TEXT 1:6', 'INVALID_ESCAPE 1:10']);
    expect(errorsOf('ERRO "a {1\nERRO "d"')).toEqual(['UNTERMINATED_TEXT 1:6']);
    expect(errorsOf('ERRO "a {"b {1} c\nERRO "d"')).toEqual(['UNTERMINATED_TEXT 1:6']);
  });

  it('say what is wrong inside an insertion, each on its own', () => {
    expect(errorsOf('ERRO "a {} b {1 +} c {1 2} d"')).toEqual([
      'UNEXPECTED 1:10',
      'UNEXPECTED 1:18',
      'UNEXPECTED 1:25',
    ]);
    expect(errorsOf('RETORNA (1 + "{(1}" + 2)')).toEqual(['UNEXPECTED 1:18']);
  });
});

describe('characters', () => {
  it.each([
    ['\u0000', 'NUL'],
    ['\u001b', 'escape'],
    ['\u0085', 'next line'],
    ['\ud800', 'half of a pair'],
  ])('%j are rejected wherever they stand', (character) => {
    for (const source of [`RETORNA 1 ${character}`, `RETORNA "${character}"`, `# ${character}`, `x${character} = 1`]) {
      expect(errorsOf(source)[0]).toMatch(/^INVALID_CHARACTER 1:/);
    }
  });

  it('are reported once a run', () => {
    expect(errorsOf('RETORNA @@@ + 1')).toEqual(['INVALID_CHARACTER 1:9']);
  });

  it('that are blanks elsewhere are blanks here, and a byte order mark is nothing', () => {
    expect(errorsOf('\ufeffRETORNA\u00a01\t+\u20092')).toEqual([]);
  });
});

describe('positions', () => {
  it('count code points, also before, in and after other characters', () => {
    expect(errorsOf('ERRO "😀é" + @')).toEqual(['INVALID_CHARACTER 1:13']);
    expect(errorsOf('a = "😀{😀}" + @')).toEqual(['INVALID_CHARACTER 1:8', 'INVALID_CHARACTER 1:14']);
    expect(errorsOf('# 😀\n𝒙 = 1\nRETORNA 𝒙 + 𝒚')).toEqual(['NAME_NEVER_ASSIGNED 3:13']);
  });
});

describe('recovery', () => {
  it('finds every mistake of a script at once', () => {
    const source = [
      'a = 1 +',
      'SE a > ENTAO',
      '  b = (1 + 2',
      'SENAOSE ENTAO',
      '  ERRO "x',
      'FIM',
      'c = MAX(1 +, * 2, )',
      'd d = 3',
      '+ 4',
      'SE a > 1 = 2 ENTAO',
      '  RETORNA a = NAO b',
      'FIM',
      'FIM',
    ].join('\n');
    expect(errorsOf(source)).toEqual([
      'UNEXPECTED 1:8',
      'UNEXPECTED 2:8',
      'UNEXPECTED 4:1',
      'UNEXPECTED 4:9',
      'UNTERMINATED_TEXT 5:8',
      'UNEXPECTED 7:12',
      'UNEXPECTED 7:14',
      'UNEXPECTED 7:19',
      'UNEXPECTED 8:3',
      'UNEXPECTED 9:1',
      'CHAINED_COMPARISON 10:10',
      'UNEXPECTED 11:15',
      'UNEXPECTED 13:1',
    ]);
  });

  it('says one thing about one place', () => {
    expect(errorsOf('RETORNA MAX(1 +')).toEqual(['UNEXPECTED 1:16']);
    expect(errorsOf('SE')).toEqual(['UNEXPECTED 1:3']);
  });

  it('continues after the end of a broken insertion', () => {
    expect(errorsOf('RETORNA MAX((1 + "{(1 2}"), ,)')).toEqual([
      'UNEXPECTED 1:23',
      'UNEXPECTED 1:29',
      'UNEXPECTED 1:30',
    ]);
    expect(errorsOf('RETORNA (1 + "{1)}"\n + 2)')).toEqual(['UNEXPECTED 1:17']);
  });

  it('says what was found and what was expected, in both languages', () => {
    expect(compileScript('RETORNA 1 2').diagnostics).toEqual([
      {
        severity: 'error',
        code: 'UNEXPECTED',
        line: 1,
        column: 11,
        found: { pt: '“2”', en: '“2”' },
        expected: { pt: 'um operador ou o fim da linha', en: 'an operator or the end of the line' },
        message: {
          pt: 'Encontrado “2”; esperado um operador ou o fim da linha',
          en: 'Found “2”; expected an operator or the end of the line',
        },
      },
    ]);
  });
});
