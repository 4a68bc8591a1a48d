import type { Failure } from './failure.js';
import { FailureBatch } from './failure-batch.js';

const failure: Failure = {
  key: { apiKeyId: 'a' },
  occurredAt: new Date(0),
  route: 'POST /v1/ocr',
  model: 'm',
  requestedModel: 'm',
  status: 500,
  code: 'internal-error',
  invalidFields: [],
  exceededLimit: null,
  requestId: 'r',
  address: null,
};

const read = (batch: FailureBatch) => batch.toParameters().map((text) => JSON.parse(text) as { count: number }[]);

describe('FailureBatch', () => {
  it('should count all failures of a group, and keep its latest 20', () => {
    const batch = new FailureBatch();
    for (let index = 0; index < 50; index++) batch.add({ ...failure, requestId: `request-${index}` });
    const [groups = [], requests = []] = read(batch);
    expect(groups).toEqual([
      { position: 0, apiKeyId: 'a', model: 'm', status: 500, code: 'internal-error', count: 50 },
    ]);
    expect(requests).toHaveLength(20);
    expect(requests.at(-1)).toMatchObject({ requestId: 'request-49' });
  });

  it('should count failures with different requested models together', () => {
    const batch = new FailureBatch();
    for (const requestedModel of ['a', 'b']) batch.add({ ...failure, model: '', requestedModel });
    const [groups = [], requests] = read(batch);
    expect(groups).toMatchObject([{ model: '', count: 2 }]);
    expect(requests).toMatchObject([{ requestedModel: 'a' }, { requestedModel: 'b' }]);
  });

  it('should drop failures beyond 1,000 groups, instead of growing without bounds', () => {
    const batch = new FailureBatch();
    for (let index = 0; index < 1500; index++) batch.add({ ...failure, key: { keyHash: String(index) } });
    expect(read(batch)[0]).toHaveLength(1000);
  });

  it('should keep failures of existing keys, however many unknown keys fail', () => {
    const batch = new FailureBatch();
    for (let index = 0; index < 1500; index++) batch.add({ ...failure, key: { keyHash: String(index) } });
    batch.add(failure);
    expect(read(batch)[0]?.at(-1)).toMatchObject({ apiKeyId: 'a', count: 1 });
  });

  it('should split into single failures, which stand for all of their group', () => {
    const batch = new FailureBatch();
    for (let index = 0; index < 50; index++) batch.add({ ...failure, requestId: `request-${index}` });
    batch.add({ ...failure, status: 404 });
    const failures = batch.split();
    expect(failures).toHaveLength(21);
    expect(failures.reduce((sum, { count }) => sum + count, 0)).toBe(51);
    const counts = (parameters: FailureBatch) => read(parameters)[0]?.map(({ count }) => count);
    expect(counts(FailureBatch.of(failures))).toEqual(counts(batch));
  });
});
