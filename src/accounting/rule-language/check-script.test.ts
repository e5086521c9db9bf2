import { describe, expect, it } from 'vitest';
import { compileScript } from './compile-script.ts';

function findingsOf(source: string): string[] {
  return compileScript(source).diagnostics.map(
    ({ severity, code, line, column }) => `${severity} ${code} ${line}:${column}`,
  );
}

describe('checkScript', () => {
  it('lets a sound script pass', () => {
    const { script, diagnostics } = compileScript('a = SALDO_CONTA("1")\nSE a < 0 ENTAO\n  ERRO "{a}"\nFIM\nRETORNA a');
    expect(diagnostics).toEqual([]);
    expect(script?.statements).toHaveLength(3);
  });

  it('rejects unknown functions and suggests the near one', () => {
    expect(findingsOf('RETORNA FOO(1)')).toEqual(['error UNKNOWN_FUNCTION 1:9']);
    expect(compileScript('RETORNA SOMA_SALDO_CONTA("1")').diagnostics[0]?.expected.pt).toContain('SOMA_SALDO_CONTAS');
    expect(compileScript('RETORNA FOO(1)').script).toBeUndefined();
  });

  it.each([
    ['ABS()', 'ABS(x)'],
    ['ABS(1, 2)', 'ABS(x)'],
    ['MIN()', 'MIN(x, …)'],
    ['ARREDONDA(1)', 'ARREDONDA(x, casas)'],
    ['SALDO_CONTA()', 'SALDO_CONTA(conta [, meses | "AAAA-MM"])'],
    ['SALDO_CONTA("1", 2, 3)', 'SALDO_CONTA(conta [, meses | "AAAA-MM"])'],
    ['SOMA_SALDO_CONTAS()', 'SOMA_SALDO_CONTAS(conta, …)'],
    ['SALDO_DIA("1")', 'SALDO_DIA(conta, dia)'],
  ])('rejects the number of arguments of %s', (call, signature) => {
    const { script, diagnostics } = compileScript(`RETORNA ${call}`);
    expect(script).toBeUndefined();
    expect(diagnostics).toMatchObject([{ code: 'WRONG_ARGUMENT_COUNT', line: 1, column: 9 }]);
    expect(diagnostics[0]?.expected.en).toContain(signature);
  });

  it('rejects names that are never assigned, each once', () => {
    expect(findingsOf('RETORNA a + b + a')).toEqual([
      'error NAME_NEVER_ASSIGNED 1:9',
      'error NAME_NEVER_ASSIGNED 1:13',
    ]);
    expect(findingsOf('ERRO "{a}"')).toEqual(['error NAME_NEVER_ASSIGNED 1:8']);
    expect(findingsOf('RETORNA a\n')).toHaveLength(1);
  });

  it('leaves a name assigned on some path to the run', () => {
    expect(compileScript('SE 1 = 2 ENTAO\n a = 1\nFIM\nRETORNA a').script).toBeDefined();
  });

  it('warns of names that are never used', () => {
    const { script, diagnostics } = compileScript('a = 1\na = 2');
    expect(script).toBeDefined();
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'UNUSED_NAME', line: 1, column: 1 }]);
  });

  it('rejects what follows RETORNA in its block, and only there', () => {
    expect(findingsOf('RETORNA 1\nERRO "a"\nERRO "b"')).toEqual(['error UNREACHABLE 2:1']);
    expect(findingsOf('SE 1 = 1 ENTAO\n  RETORNA 1\n  RETORNA 2\nFIM')).toEqual(['error UNREACHABLE 3:3']);
    expect(findingsOf('SE 1 = 1 ENTAO\n  RETORNA 1\nSENAO\n  RETORNA 3\nFIM\nRETORNA 2')).toEqual([]);
  });

  it.each([
    ['RETORNA 1 + "a"', '1:13'],
    ['RETORNA "a" * 1', '1:9'],
    ['RETORNA -"a"', '1:10'],
    ['RETORNA NAO 1', '1:13'],
    ['RETORNA 1 E VERDADEIRO', '1:9'],
    ['RETORNA "a" < "b"', '1:9'],
    ['RETORNA 1 = "a"', '1:13'],
    ['RETORNA "{1 = 1}"', '1:11'],
    ['SE 1 ENTAO\nFIM', '1:4'],
    ['ERRO 1', '1:6'],
    ['RETORNA SALDO_CONTA(1)', '1:21'],
    ['RETORNA SOMA_SALDO_CONTAS("1", 2)', '1:32'],
    ['RETORNA ABS("1")', '1:13'],
    ['RETORNA VARIACAO_SALDO("1", "2026-01")', '1:29'],
    ['RETORNA SALDO_CONTA("1", 1 = 1)', '1:26'],
  ])('warns of the wrong type in %s, which only running makes a failure', (source, place) => {
    expect(findingsOf(source)).toContain(`warning TYPE_MISMATCH ${place}`);
    expect(compileScript(source).script).toBeDefined();
  });

  it('warns of accounts and months that cannot be', () => {
    for (const account of ['*', '1*1', '**', 'abc*', '1.1,*', '']) {
      expect(findingsOf(`RETORNA SALDO_CONTA("${account}")`)).toEqual(['warning SUSPECT_ACCOUNT 1:21']);
    }
    expect(findingsOf('RETORNA SALDO_CONTA("1", "01/2026")')).toEqual(['warning INVALID_MONTH 1:26']);
    expect(findingsOf('RETORNA SALDO_CONTA("1", "2026-13")')).toEqual(['warning INVALID_MONTH 1:26']);
    expect(findingsOf('RETORNA SALDO_CONTA("1*", "2026-12")')).toEqual([]);
  });

  it('says nothing of names while the syntax is broken', () => {
    expect(findingsOf('a = \nRETORNA b')).toEqual(['error UNEXPECTED 1:5']);
    expect(findingsOf('a b = 1\nRETORNA FOO(a)')).toEqual(['error UNEXPECTED 1:3', 'error UNKNOWN_FUNCTION 2:9']);
  });
});
