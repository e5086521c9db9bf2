import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';

describe('providers of look-ups', () => {
  test('come in their order; a bare address answers as BrasilAPI does', () => {
    const { cnpjLookup, cepLookup } = readConfig({
      CNPJ_LOOKUP_URL: ' opencnpj=https://a.example/{cnpj}?t=1 , https://b.example/{cnpj}?x=y ',
      CEP_LOOKUP_URL: 'viacep=http://c.example/{cep}/json/',
    });
    expect(cnpjLookup).toEqual([
      { name: 'opencnpj', template: 'https://a.example/{cnpj}?t=1' },
      { name: 'brasilapi', template: 'https://b.example/{cnpj}?x=y' },
    ]);
    expect(cepLookup).toEqual([{ name: 'viacep', template: 'http://c.example/{cep}/json/' }]);
  });

  test.each([
    [
      'CNPJ_LOOKUP_URL',
      'viacep=https://a.example/{cnpj}',
      "no provider 'viacep'; there are brasilapi, receitaws, opencnpj",
    ],
    ['CEP_LOOKUP_URL', 'BrasilAPI=https://a.example/{cep}', "no provider 'BrasilAPI'; there are brasilapi, viacep"],
    ['CEP_LOOKUP_URL', 'https://a.example/{cep},=https://b.example/{cep}', "no provider ''"],
    ['CEP_LOOKUP_URL', 'brasilapi=a.example/{cep}', "'brasilapi=a.example/{cep}' is no http or https address"],
    ['CEP_LOOKUP_URL', 'ftp://a.example/{cep}', "'ftp://a.example/{cep}' is no http or https address"],
    ['CNPJ_LOOKUP_URL', 'https://a.example/', "'https://a.example/' does not say where {cnpj} goes"],
    ['CNPJ_LOOKUP_URL', ' , ', 'must name a provider'],
  ])('%s=%s stops the start, saying why in one line', (variable, value, reason) => {
    expect(() => readConfig({ [variable]: value })).toThrow(`${variable}: ${reason}`);
  });
});

describe('identity providers', () => {
  const withKeysAt = (jwksUri: string) =>
    readConfig({
      IDENTITY_PROVIDERS: JSON.stringify([{ name: 'X', issuer: 'https://x.example', audience: 'a', jwksUri }]),
    }).identityProviders;

  test.each(['https://x.example/keys', 'http://localhost:8080/keys', 'http://127.0.0.1/keys', 'http://[::1]:80/keys'])(
    'keys are read from %s',
    (address) => {
      expect(withKeysAt(address)[0]?.jwksUri).toBe(address);
    },
  );

  test.each([
    'http://x.example/keys',
    'http://127.0.0.1.x.example/keys',
    'http://localhost.x.example/keys',
    'http://10.0.0.1/keys',
    'http://x@y.example#localhost',
    'ftp://localhost/keys',
  ])('keys are not read from %s', (address) => {
    expect(() => withKeysAt(address)).toThrow(/^IDENTITY_PROVIDERS: /);
  });
});
