import { reasonOf, runCommand } from './admin-commands.ts';

await runCommand(process.argv.slice(2), process.env).catch((error: unknown) => {
  console.error(reasonOf(error));
  process.exitCode = 1;
});
