import { BadRequestException, HttpException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { AppError } from './app-error.js';
import { isDatabaseUnavailable, toAppError } from './to-app-error.js';

const withCode = (code: string) => Object.assign(new Error('something'), { code });

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EAI_AGAIN', '57P01', '57P03', '53300', '08006'])(
    'should hold for %s',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
    'Query runner already released. Cannot run queries anymore.',
    'Query read timeout',
    'timeout expired',
  ])('should hold for "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it.each(['23505', '42P01', '22P02', 'ERR_ASSERTION'])(
    'should not hold for %s, which is a mistake of ours',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(false);
    },
  );
});

describe('toAppError', () => {
  it('should leave errors of the catalogue as they are', () => {
    const error = new AppError('not-found', 'There is none.');
    expect(toAppError(error)).toBe(error);
  });

  it.each([
    [400, 'malformed-request'],
    [404, 'route-not-found'],
    [413, 'payload-too-large'],
    [415, 'unsupported-media-type'],
    [418, 'internal-error'],
  ])('should turn a framework error %i into %s', (status, code) => {
    expect(toAppError(new HttpException('words of the framework', status)).code).toBe(code);
  });

  it('should turn a lost connection behind a query into 503', () => {
    const error = toAppError(new QueryFailedError('select 1', [], withCode('57P01')));
    expect(error).toMatchObject({ code: 'database-unavailable', status: 503, headers: { 'retry-after': '1' } });
  });

  it.each([new Error('secret detail'), 'secret detail', undefined, null, new BadRequestException('secret detail')])(
    'should not pass on the words of %p',
    (thrown) => {
      expect(toAppError(thrown).message).not.toContain('secret');
    },
  );
});
