import { dayOf } from '../dates.ts';
import { later, type Rules } from '../rule.ts';
import { codesOf } from '../tables.ts';
import {
  firstWrong,
  knownCountry,
  knownMunicipality,
  knownState,
  lettersAndDigits,
  repeated,
  validCnpj,
  validCpf,
} from './shared.ts';

const BRAZIL = '01058';

/** Registers 0150 and 0180: persons and companies related to the one that keeps the books. */
export const PARTICIPANTS: Rules = {
  '0150 REGRA_REGISTRO_DUPLICADO': repeated('Participante repetido.', ['COD_PART']),
  '0150 REGRA_TABELA_PAIS': knownCountry(),
  '0150 REGRA_VALIDA_CNPJ': validCnpj('CNPJ'),
  '0150 REGRA_VALIDA_CPF': validCpf('CPF'),
  '0150 REGRA_TABELA_UF': knownState('UF'),
  '0150 REGRA_CAMPO_NAO_OBRIGATORIO_PAIS_BRASIL': later(
    'UF e município só se informam de quem está no Brasil.',
    (line) => (line.of('COD_PAIS') === BRAZIL ? undefined : ['UF', 'COD_MUN'].find((field) => line.of(field) !== '')),
  ),
  '0150 REGRA_CAMPO_CARACTERE_INVALIDO': lettersAndDigits('IE', 'IE_ST', 'IM', 'SUFRAMA'),
  '0150 REGRA_TABELA_MUNICIPIO': knownMunicipality(),
  '0180 REGRA_TABELA_RELACIONAMENTO': later('Tipo de relacionamento desconhecido.', (line) =>
    firstWrong(line, ['COD_REL'], (text) => codesOf('COD_REL').has(text)),
  ),
  '0180 REGRA_DT_INI_MAIOR_DT_FIN_REL': later('O relacionamento termina antes de começar.', (line) => {
    const to = dayOf(line.of('DT_FIN_REL'));
    return to !== 0 && dayOf(line.of('DT_INI_REL')) > to ? 'DT_INI_REL' : undefined;
  }),
};
