import type { ProblemTexts } from './problem-text.ts';

export const ACCESS_TEXTS = {
  UNAUTHENTICATED: {
    status: 401,
    en: 'A valid access token is required',
    pt: 'É necessário um token de acesso válido',
  },
  SESSION_REQUIRED: {
    status: 401,
    en: 'There is no session of the console, or it has ended: sign in',
    pt: 'Não há sessão aberta no console, ou ela terminou: entre novamente',
  },
  CROSS_SITE_REQUEST: {
    status: 403,
    en: 'Only the pages of the console itself may send this (Sec-Fetch-Site: same-origin)',
    pt: 'Só as páginas do próprio console podem enviar isto (Sec-Fetch-Site: same-origin)',
  },
  INSECURE_CONNECTION: {
    status: 403,
    en: 'The connection is not protected: the console is used over https, or on its own machine as localhost',
    pt: 'A conexão não está protegida: use o console por https ou, na própria máquina, como localhost',
  },
  BAD_CREDENTIALS: { status: 401, en: 'Invalid credentials', pt: 'Credenciais inválidas' },
  SIGN_IN_CANCELLED: {
    status: 401,
    en: 'The identity provider did not sign the user in',
    pt: 'O provedor de identidade não confirmou a entrada',
  },
  COMMON_PASSWORD: {
    status: 400,
    en: 'This password is one of the first that would be guessed; choose another',
    pt: 'Esta senha é das primeiras que alguém tentaria; escolha outra',
  },
  TOO_MANY_ATTEMPTS: {
    status: 429,
    en: 'Too many attempts; try again later',
    pt: 'Tentativas demais; tente mais tarde',
  },
  MFA_REQUIRED: {
    status: 401,
    en: 'The code of the second factor is required: send it as totp',
    pt: 'Informe o código do segundo fator no campo totp',
  },
  MFA_NOT_ENROLLED: {
    status: 401,
    en: 'Administrators need a second factor: enrol with POST /api/auth/mfa/enrolment',
    pt: 'Administradores precisam de um segundo fator: cadastre-o com POST /api/auth/mfa/enrolment',
  },
  MFA_ALREADY_ENROLLED: {
    status: 400,
    en: 'There is a second factor already; another administrator can take it away',
    pt: 'Já há um segundo fator; outro administrador pode retirá-lo',
  },
  MFA_NOT_OFFERED: {
    status: 400,
    en: 'A second factor is not offered to this user',
    pt: 'O segundo fator não está disponível para este usuário',
  },
  MFA_OWN_RESET: {
    status: 400,
    en: 'Your own second factor is taken away by another administrator or on the command line',
    pt: 'O seu próprio segundo fator é retirado por outro administrador ou pela linha de comando',
  },
  IDENTITY_PROVIDER_UNAVAILABLE: {
    status: 503,
    en: 'The keys of the identity provider cannot be read now; try again later',
    pt: 'As chaves do provedor de identidade não podem ser lidas agora; tente mais tarde',
  },
  TENANT_DENIED: {
    status: 403,
    en: 'Access denied: the user lacks permission for company {company} and branch {branch}',
    pt: 'Acesso negado: o usuário não tem permissão para a empresa {company} e a filial {branch}',
  },
  ROUTINE_DENIED: {
    status: 403,
    en: 'Access denied: the user lacks permission for the routine {routine}',
    pt: 'Acesso negado: o usuário não tem permissão para a rotina {routine}',
  },
  CHART_DENIED: {
    status: 403,
    en: 'Access denied: the user lacks permission for the chart of accounts {chart}',
    pt: 'Acesso negado: o usuário não tem permissão para o plano de contas {chart}',
  },
  NO_PERMISSION: {
    status: 403,
    en: 'Access denied: the user lacks permission for any company; an administrator grants it',
    pt: 'Acesso negado: o usuário não tem permissão para nenhuma empresa; peça-a a um administrador',
  },
  ADMIN_ONLY: { status: 403, en: 'Only administrators may do this', pt: 'Somente administradores podem fazer isto' },
  LAST_ADMIN: {
    status: 400,
    en: 'This is the only active administrator: make another user one first',
    pt: 'Este é o único administrador ativo: torne outro usuário administrador antes',
  },
  NOT_FOR_SERVICE_ACCOUNT: {
    status: 400,
    en: 'A service account is never an administrator and has neither password nor identities: it signs in with its secrets',
    pt: 'Uma conta de serviço nunca é administradora nem tem senha ou identidades: ela entra com os seus segredos',
  },
  TOO_MANY_SECRETS: {
    status: 400,
    en: 'A service account has at most {limit} secrets: remove one before',
    pt: 'Uma conta de serviço tem no máximo {limit} segredos: exclua um antes',
  },
  INVALID_CLIENT: {
    status: 401,
    en: 'Client or secret is not accepted',
    pt: 'Cliente ou segredo não aceito',
  },
  INVALID_REQUEST: {
    status: 400,
    en: 'Client and secret come either in the header Authorization or in the body',
    pt: 'O cliente e o segredo vêm ou no cabeçalho Authorization ou no corpo',
  },
  INVALID_SCOPE: {
    status: 400,
    en: 'The scope names something that the client does not have',
    pt: 'O escopo indica algo que o cliente não tem',
  },
  UNSUPPORTED_GRANT_TYPE: {
    status: 400,
    en: 'The only grant type is client_credentials',
    pt: 'O único tipo de concessão é client_credentials',
  },
} as const satisfies ProblemTexts;
