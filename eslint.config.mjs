import parser from '@typescript-eslint/parser';
import regexp from 'eslint-plugin-regexp';

// Biome does the rest; it has no rule that finds a regular expression whose time grows faster than its text.
export default [
  { ignores: ['**/*.test.ts'] },
  {
    files: ['**/*.ts'],
    languageOptions: { parser },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignorePartial: false }],
      'regexp/no-dupe-disjunctions': ['error', { report: 'all', reportExponentialBacktracking: 'potential' }],
      'no-restricted-syntax': [
        'error',
        {
          selector: ":matches(NewExpression, CallExpression)[callee.name='RegExp']:not([arguments.0.type='Literal'])",
          message: 'An expression put together at run time is checked by nobody: say beside it why it is quick.',
        },
      ],
    },
  },
];
