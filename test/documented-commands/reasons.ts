import { existsSync } from 'node:fs';

/** Why a block may be left out. Machines that run the tests have no containers, cluster or systemd. */
const reasons = ['needs a Docker engine', 'needs a Kubernetes cluster', 'needs root and systemd'];

const covered = /^covered by (\S+(?:, \S+)*)$/;

/** Returns the kind of a reason, or undefined if it isn't one. */
export function kindOfReason(reason: string): string | undefined {
  const files = covered.exec(reason)?.[1]?.split(', ');
  if (files === undefined) return reasons.find((one) => one === reason);
  return files.every((file) => existsSync(file)) ? 'covered by another test' : undefined;
}

/** The tests of examples that aren't commands, by document and language. */
export const testsOfExamples: Record<string, string> = {
  // Written with the helpers that all tests use.
  'CONTRIBUTING.md ts': 'test/api-keys/creation-and-deletion.e2e-spec.ts',
  'docs/authorize.md caddyfile': 'test/ai-gateway/authorize-proxies.e2e-spec.ts',
  'docs/authorize.md haproxy': 'test/ai-gateway/authorize-proxies.e2e-spec.ts',
  'docs/authorize.md lua': 'test/ai-gateway/authorize-proxies.e2e-spec.ts',
  'docs/authorize.md nginx': 'test/ai-gateway/authorize-proxies.e2e-spec.ts',
  'docs/authorize.md yaml': 'test/ai-gateway/authorize-proxies.e2e-spec.ts',
  'docs/audit.md json': 'test/docs/documented-responses.spec.ts',
  'docs/audit.md yaml': 'src/audit/sinks/sinks-file.spec.ts',
  'docs/automation.md json': 'test/docs/documented-responses.spec.ts',
  'docs/development.md ts': 'test/browser/harness.e2e-spec.ts',
  'docs/embeddings.md json': 'test/docs/documented-responses.spec.ts',
  'docs/errors.md json': 'test/contract/response-contract.ts',
  'docs/generation.md yaml': 'test/docs/docs.spec.ts',
  'docs/keys.md json': 'test/docs/documented-responses.spec.ts',
  'docs/leaked-keys.md json': 'test/docs/documented-responses.spec.ts',
  'docs/leaked-keys.md python': 'test/leaked-keys/scanners.e2e-spec.ts',
  'docs/limits-reference.md json': 'test/limits/limit-states.e2e-spec.ts',
  'docs/metrics.md yaml': 'test/metrics/metrics.e2e-spec.ts',
  'docs/models.md Dockerfile': 'document-reader/test/native.e2e-spec.ts',
  'docs/models.md yaml': 'test/docs/docs.spec.ts',
  'docs/operations.md ini': 'test/database/synchronous-standby.e2e-spec.ts',
  'docs/models.md json': 'test/docs/documented-responses.spec.ts',
  'docs/organizations.md json': 'test/docs/documented-responses.spec.ts',
  'docs/usage.md json': 'test/docs/documented-responses.spec.ts',
  'docs/webhooks.md json': 'test/webhooks/documented-event.e2e-spec.ts',
  'docs/webhooks.md python': 'test/webhooks/signatures.e2e-spec.ts',
  'document-reader/README.md ts': 'document-reader/test/documents.e2e-spec.ts',
  // The cluster has these settings.
  'docs/scaling.md yaml': 'test/database-history/real-cluster.e2e-spec.ts',
};
