import { failureOf, reasonOf, runCommand } from './admin-commands.ts';

const words = process.argv.slice(2);
process.exitCode = await runCommand(words, process.env).catch((error: unknown) => {
  console.error(reasonOf(error));
  return failureOf(words);
});
