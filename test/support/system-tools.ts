import { spawnSync } from 'node:child_process';

/**
 * Whether a program of the machine is there that a test compares with. Without it the test skips and its reason is
 * printed; in CI, which installs them, that is an error.
 */
export function hasTool(
  tool: string,
  { version = '--version', reason }: { version?: string; reason: string },
): boolean {
  if (spawnSync(tool, [version]).status === 0) return true;
  const message = `${tool} is not installed: ${reason}`;
  if (process.env.CI) throw new Error(message);
  console.log(message);
  return false;
}
