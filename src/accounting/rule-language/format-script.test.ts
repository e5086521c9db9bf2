import { describe, expect, it } from 'vitest';
import { formatScript } from './format-script.ts';

const formatted = (source: string) => formatScript(source).text;

describe('formatScript', () => {
  it('writes one statement a line, words in capitals, blocks indented', () => {
    expect(
      formatted(
        'a=1;B = -a*2\nse a==1 e não (b!=2) então erro "x{ a+1 }" senãose a>2 entao\n senao retorna abs( a )\nfim',
      ),
    ).toBe(
      [
        'a = 1',
        'B = -a * 2',
        'SE a = 1 E NAO (b <> 2) ENTAO',
        '  ERRO "x{a + 1}"',
        'SENAOSE a > 2 ENTAO',
        'SENAO',
        '  RETORNA ABS(a)',
        'FIM',
        '',
      ].join('\n'),
    );
  });

  it('keeps parentheses, numbers and texts as they were written', () => {
    expect(formatted('RETORNA ((1.50)) + (2 * 3) + "\\"\\\\\\{}#"')).toBe(
      'RETORNA ((1.50)) + (2 * 3) + "\\"\\\\\\{}#"\n',
    );
  });

  it('keeps comments where they were', () => {
    const source = [
      '# head',
      '',
      'SE 1 = 1 ENTAO # why',
      '  # inside',
      '  ERRO "a" # behind',
      '  # at the end of the block',
      'SENAO # else',
      '  ERRO "b"',
      'FIM # done',
      '',
      '# tail',
      '',
    ].join('\n');
    expect(formatted(source)).toBe(source);
    expect(formatted('a = 1; b = a # both')).toBe('a = 1\nb = a # both\n');
    expect(formatted('a = (1 + # one\n 2) # two\nRETORNA a')).toBe('# one\na = (1 + 2) # two\nRETORNA a\n');
    expect(formatted('SENAO_ = 1\n# only')).toBe('SENAO_ = 1\n# only\n');
  });

  it('keeps one blank line of several', () => {
    expect(formatted('\n\na = 1\n\n\n\nb = a\n\n')).toBe('a = 1\n\nb = a\n');
    expect(formatted('# nothing')).toBe('# nothing\n');
    expect(formatted('\n')).toBe('');
  });

  it('breaks the arguments of a call that is too long for its line', () => {
    const arguments_ = Array.from({ length: 12 }, (_, index) => `"1.1.${index}.00.00"`);
    expect(formatted(`a = SOMA_SALDO_CONTAS(${arguments_.join(',')})`)).toBe(
      `a = SOMA_SALDO_CONTAS(\n${arguments_.map((each) => `  ${each}`).join(',\n')}\n)\n`,
    );
  });

  it('gives the errors instead where the syntax is broken', () => {
    const { text, diagnostics } = formatScript('a = ');
    expect(text).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'UNEXPECTED', line: 1, column: 5 }]);
    expect(formatScript('RETORNA UNKNOWN(a)').text).toBe('RETORNA UNKNOWN(a)\n');
  });
});
