// The directions of ARCHITECTURE.md as rules. test/architecture.test.ts runs them and proves, with a deliberate
// violation for each (test/fixtures/architecture/<rule>), that every one of them bites.

const npmPackage = (name) => `(^|/)node_modules/(@types/)?${name}/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'accounting-stands-alone',
      comment: 'The rules of bookkeeping are arithmetic: no package, no module of Node, nothing of the program.',
      severity: 'error',
      from: { path: '^src/accounting/' },
      to: { pathNot: '^src/accounting/' },
    },
    {
      name: 'platform-knows-no-business',
      comment: 'Plumbing serves any business: its own small errors become problems of the books in http.',
      severity: 'error',
      from: { path: '^src/platform/' },
      to: { path: '^src/', pathNot: '^src/platform/' },
    },
    {
      name: 'paper-reads-statements',
      comment:
        'A report turns a statement into cells; its figures are made where every other reader of them gets them.',
      severity: 'error',
      from: { path: '^src/features/reporting/print/' },
      to: { path: '^src/features/(closing|posting|compliance)/' },
    },
    {
      name: 'filing-check-stands-alone',
      comment:
        "Who checks a regulator's file shares the tables and the arithmetic of the books with who writes one, and nothing else: one slip cannot hide in both.",
      severity: 'error',
      from: { path: '^src/features/reporting/filing-check/' },
      to: {
        path: '^src/',
        pathNot: ['^src/features/reporting/filing-check/', '^src/accounting/'],
      },
    },
    {
      name: 'writers-know-no-checker',
      comment: 'The writer of a file proves it by its own counts; the checker is asked by others.',
      severity: 'error',
      from: { path: '^src/features/reporting/filings/' },
      to: { path: '^src/features/reporting/filing-check/' },
    },
    {
      name: 'features-know-no-door',
      comment: 'A use case is owned by no service, so that two doors can lead to it.',
      severity: 'error',
      from: { path: '^src/features/' },
      to: { path: ['^src/(services|http)/', '^src/[^/]+\\.ts$'] },
    },
    {
      name: 'services-never-meet',
      comment: 'What two services share lies in a feature (what is done) or in http (how it is said).',
      severity: 'error',
      from: { path: '^src/services/([^/]+)/' },
      to: { path: ['^src/services/', '^src/[^/]+\\.ts$'], pathNot: '^src/services/$1/' },
    },
    {
      name: 'http-knows-no-service',
      comment: 'The words that services share know none of the services.',
      severity: 'error',
      from: { path: '^src/http/' },
      to: { path: ['^src/services/', '^src/[^/]+\\.ts$'] },
    },
    {
      name: 'only-database-imports-the-driver',
      comment: 'One folder decides on roles, scopes and retries of every connection, one file on the types it reads.',
      severity: 'error',
      from: { pathNot: '^src/platform/database/driver\\.ts$' },
      to: { path: npmPackage('pg') },
    },
    {
      name: 'only-the-tag-makes-statements',
      comment:
        'What makes SQL of any text stays in one file, so that no value of a caller becomes a part of a statement.',
      severity: 'error',
      from: { pathNot: '^src/platform/database/statement\\.ts$' },
      to: { path: npmPackage('sql-template-tag') },
    },
    {
      name: 'only-sql-files-stream-sql',
      comment: 'COPY and cursors open no connection, they are statements: they stand where statements stand.',
      severity: 'error',
      from: { pathNot: '\\.sql\\.ts$' },
      to: { path: [npmPackage('pg-copy-streams'), npmPackage('pg-cursor')] },
    },
    {
      name: 'only-doors-speak-http',
      comment:
        'A use case does not know that it is called over HTTP. (program.ts opens the services and closes them; post-to-address.ts asks others, which fetch does not let choose an address.)',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: ['^src/(services|http)/', '^src/program\\.ts$', '^src/platform/post-to-address\\.ts$'],
      },
      to: {
        path: [
          npmPackage('@fastify'),
          npmPackage('fastify'),
          npmPackage('fastify-type-provider-zod'),
          '^(node:)?https?2?$',
        ],
      },
    },
    {
      name: 'doors-only-read',
      comment: 'A change goes through a use case, where its transaction, its rules and its trail are. Types may pass.',
      severity: 'error',
      from: { path: '^src/(services|http)/' },
      to: { path: '\\.sql\\.ts$', pathNot: '\\.read\\.sql\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-listed-use-cases-are-elevated',
      comment:
        "context.elevated asks for a reason, and reasons stand in one file: whoever imports it works past its caller's scope. A new user of it is reviewed and listed here.",
      severity: 'error',
      from: {
        pathNot: [
          '^src/features/access/(client-credentials|external-login|second-factor|service-accounts|sign-in|sign-in-attempts|sign-in-trail|users)\\.ts$',
          '^src/features/operations/(approvals/decide-approval|events/watch-events)\\.ts$',
          '^src/features/master-data/chart/(change-account|create-account|import-chart|own-chart)\\.ts$',
          '^src/features/master-data/companies/(create-company|import-companies)\\.ts$',
          '^src/features/master-data/narrations/narrations\\.ts$',
          '^src/features/operations/jobs/queue-job\\.ts$',
          '^src/features/posting/archive/archive-movements\\.ts$',
          '^src/services/authentication/signin\\.routes\\.ts$',
          '^src/services/masterdata/branches\\.routes\\.ts$',
        ],
      },
      to: { path: '^src/features/access/elevation-reasons\\.ts$' },
    },
    {
      name: 'only-the-program-has-the-system-scope',
      comment:
        'Start, jobs, metrics, cleanup and authorization work without a caller. A use case of a caller has context.elevated. Types may pass.',
      severity: 'error',
      from: {
        pathNot: [
          '^src/(program|database-figures)\\.ts$',
          '^src/platform/context\\.ts$',
          '^src/features/access/(audit-chain/chain-audit|authorize|bootstrap|sessions/sessions)\\.ts$',
          '^src/features/closing/verify/(nightly-verify|verify)\\.ts$',
          '^src/features/closing/seals/timestamp-seals\\.ts$',
          '^src/features/operations/cleanup/cleanup\\.ts$',
          '^src/features/operations/jobs/jobs\\.ts$',
          '^src/features/operations/webhooks/deliver-webhooks\\.ts$',
        ],
      },
      to: { path: '^src/platform/database/system-scope\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'the-console-knows-accounting-and-the-client',
      comment:
        'Pages run in browsers: of the program they share the rules of bookkeeping and the charts to begin with, and reach the rest over HTTP, by the client.',
      severity: 'error',
      from: { path: '^console/', pathNot: '\\.config\\.ts$' },
      to: {
        pathNot: [
          '^console/',
          '^src/(accounting/|seeds/.*\\.csv)',
          '^client/',
          '^partidas-client$',
          '(^|/)node_modules/',
        ],
      },
    },
    {
      name: 'no-cycles',
      comment: 'Types count: two modules that need each other are one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A module that nobody imports and that imports nobody is dead.',
      severity: 'error',
      from: { orphan: true },
      to: {},
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    // What a test imports says nothing about the shape of the program, and what only a test imports is dead.
    exclude: { path: ['\\.test\\.ts$', '^console/(dist|generated)/'] },
    // Without it types would not count and a cycle of types would pass.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
    },
  },
};
