import { expect, it } from 'vitest';
import { compileScript } from './compile-script.ts';

// Mistakes of accountants who know spreadsheets, other languages, or part of the grammar: each is reported once, at its
// place, with what was probably meant.

const MISTAKES: readonly [source: string, ...said: string[]][] = [
  ['SE 1 > 0\n  ERRO "x"\nFIM', '1:9 Encontrado fim da linha; esperado ENTAO na mesma linha'],
  ['SE 1 > 0\nENTAO\n  ERRO "x"\nFIM', '1:9 Encontrado fim da linha; esperado ENTAO na mesma linha'],
  ['SE 1 > 0 ENTAO\n  ERRO "x"', '2:11 Encontrado fim do script; esperado FIM do SE da linha 1'],
  [
    'SE 1 > 0 ENTAO\n  ERRO "x"\nSENAO SE 2 > 0 ENTAO\n  ERRO "y"\nFIM',
    '5:4 Encontrado fim do script; esperado FIM do SE da linha 1 (SENAO SE abre outro SE; SENAOSE continua o mesmo)',
  ],
  ['SE 1 > 0 ENTAO\n  ERRO "x"\nFIM\nFIM', '4:1 Encontrado “FIM”; esperado um comando: NOME =, SE, ERRO ou RETORNA'],
  ['SE 1 > 0 ENTAO\n  ERRO "x"\nFIM SE', '3:5 Encontrado “SE”; esperado só FIM'],
  ['SE 1 > 0 ENTAO\n  ERRO "x"\nFIMSE', '3:1 Encontrado “FIMSE”; esperado FIM'],
  ['SE 1 > 0,01 ENTAO\n  ERRO "x"\nFIM', '1:9 Encontrado “,”; esperado ponto decimal, 0.01'],
  [
    'RETORNA 1.000.000,50',
    '1:9 Número inválido “1.000.000,50”: esperado um número como 1234.56, sem separador de milhar (uma conta fica entre aspas; um nome não começa com algarismo)',
  ],
  ['RETORNA 1.000,50', '1:14 Encontrado “,”; esperado ponto decimal, 1000.50'],
  [
    'RETORNA ARREDONDA(1,5, 2)',
    '1:9 Número errado de argumentos: encontrado 3; esperado 2, ARREDONDA(x, casas); com ponto decimal, 1.5',
  ],
  ['RETORNA ABS(1, 5)', '1:9 Número errado de argumentos: encontrado 2; esperado 1, ABS(x)'],
  ['ERRO "Ativo difere\nRETORNA 1', '1:6 Texto sem fim: encontrado fim da linha, esperado aspas (") na mesma linha'],
  [
    'ERRO "Saldo {1 + 1"\nRETORNA 1',
    '1:6 Texto sem fim: encontrado fim da linha, esperado “}” depois do valor inserido e aspas (") na mesma linha',
  ],
  ["RETORNA SALDO_CONTA('1.1')", '1:21 Caractere inválido “\'”; esperado aspas retas (")'],
  ['RETORNA SALDO_CONTA(“1.1”)', '1:21 Caractere inválido «“»; esperado aspas retas (")'],
  [
    'RETORNA SALDO_CONTA(101)',
    '1:21 Tipo errado: encontrado número; esperado texto (a conta fica entre aspas: "1.1.1")',
  ],
  [
    'RETORNA SALDO_CONTAS("1")',
    '1:9 Função desconhecida “SALDO_CONTAS”; esperado uma função da linguagem, talvez SALDO_CONTA',
  ],
  ['RETORNA SALDO("1")', '1:9 Função desconhecida “SALDO”; esperado uma função da linguagem, talvez SALDO_CONTA'],
  ['RETORNA ROUND(1, 2)', '1:9 Função desconhecida “ROUND”; esperado uma função da linguagem, talvez ARREDONDA'],
  [
    'RETORNA FOO(1)',
    '1:9 Função desconhecida “FOO”; esperado uma destas: SALDO_CONTA, SALDO_ANTES_ENCERRAMENTO, MOVIMENTO_DEBITO, MOVIMENTO_CREDITO, SOMA_SALDO_CONTAS, VARIACAO_SALDO, VARIACAO_PERCENTUAL, SALDO_DIA, ABS, MIN, MAX, ARREDONDA',
  ],
  ['RETORNA SALDO_CONTA "1.1"', '1:21 Encontrado um texto; esperado “(”'],
  ['a = MAX(1, 2\nb = 3\nRETORNA a + b', '2:1 Encontrado “b”; esperado “,” ou “)” para o “(” da linha 1'],
  ['RETORNA MAX(1; 2; 3)', '1:14 Encontrado “;”; esperado “,”', '1:17 Encontrado “;”; esperado “,”'],
  [
    'IF 1 > 0 THEN\n  ERROR "x"\nELSE\n  RETURN 1\nEND',
    '1:1 Encontrado “IF”; esperado SE',
    '1:10 Encontrado “THEN”; esperado ENTAO',
    '2:3 Encontrado “ERROR”; esperado ERRO',
    '3:1 Encontrado “ELSE”; esperado SENAO',
    '4:3 Encontrado “RETURN”; esperado RETORNA',
    '5:1 Encontrado “END”; esperado FIM',
  ],
  ['SE 1 > 0 ENTAO\n  EROO "x"\nFIM', '2:3 Encontrado “EROO”; esperado ERRO'],
  [
    'SE 1 > 0 AND NOT FALSO ENTAO\n  ERRO "x"\nFIM',
    '1:10 Encontrado “AND”; esperado E',
    '1:14 Encontrado “NOT”; esperado NAO',
  ],
  ['RETORNA 1 > 0 && 2 > 1', '1:15 Caractere inválido “&&”; esperado E'],
  ['RETORNA 1 => 0', '1:11 Encontrado “=>”; esperado “>=”'],
  ['RETORNA 30% > 1', '1:11 Caractere inválido “%”; esperado um número sem %'],
  ['RETORNA R$ 100', '1:10 Caractere inválido “$”; esperado um número sem cifrão'],
  ['a := 1\nRETORNA a', '1:3 Caractere inválido “:”; esperado “=”'],
  [
    'ativo total = 1\nRETORNA 1',
    '1:7 Encontrado “total”; esperado “=” (um nome tem letras, algarismos e _, sem espaços)',
  ],
  ['ativo = 1\nSE ativoo > 0 ENTAO\nFIM', '2:4 O nome “ativoo” nunca recebe valor; esperado talvez ativo'],
  ['RETORNA TRUE', '1:9 O nome “TRUE” nunca recebe valor; esperado talvez VERDADEIRO'],
  ['RETORNA ativo', '1:9 O nome “ativo” nunca recebe valor; esperado um valor antes, como ativo = 0'],
  [
    'E = 1\nRETORNA E',
    '1:1 “E” é palavra reservada; esperado outro nome',
    '2:9 Encontrado “E”; esperado uma expressão',
  ],
  [
    'a = 1\nERRO "Saldo " + a',
    '2:6 Tipo errado: encontrado texto; esperado número (um valor entra num texto entre chaves: "Saldo {saldo}")',
  ],
  ['// soma\nRETORNA 1', '1:1 Encontrado “/”; esperado # antes de um comentário'],
  ['-- soma\nRETORNA 1', '1:1 Encontrado “-”; esperado # antes de um comentário'],
  [
    'a = 1 +\n  2\nRETORNA a',
    '1:8 Encontrado fim da linha; esperado uma expressão na mesma linha (só entre parênteses ela continua na seguinte)',
  ],
  [
    'a = 1\n  + 2\nRETORNA a',
    '2:3 Encontrado “+”; esperado um comando (um comando só continua na linha seguinte entre parênteses)',
  ],
  [
    'RETORNA SALDO_CONTA("1.1%")',
    '1:21 Conta duvidosa “1.1%”: esperado um código de conta, ou seu começo e um asterisco no fim ("1.1*")',
  ],
  ['RETORNA SALDO_CONTA("1", "01/2026")', '1:26 Mês inválido “01/2026”: esperado "AAAA-MM"'],
];

it.each(MISTAKES)('%s', (source, ...said) => {
  const { diagnostics } = compileScript(source);
  expect(diagnostics.map(({ line, column, message }) => `${line}:${column} ${message.pt}`)).toEqual(said);
});

it('all the mistakes of one script are said at once', () => {
  const source = [
    'ativo = SALDO_CONTA(1.1)',
    'SE ativo > 0,01',
    '  EROO "Ativo {ativo',
    'FIMSE',
    "RETORNA SALDO_CONTAS('1')",
  ].join('\n');
  const { script, diagnostics } = compileScript(source);
  expect(script).toBeUndefined();
  expect(diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)).toEqual([
    'TYPE_MISMATCH 1:21',
    'UNEXPECTED 2:13',
    'UNEXPECTED 3:3',
    'UNTERMINATED_TEXT 3:8',
    'UNEXPECTED 4:1',
    'UNKNOWN_FUNCTION 5:9',
    'INVALID_CHARACTER 5:22',
  ]);
});
