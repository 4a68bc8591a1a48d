import { BadRequestException, HttpException } from '@nestjs/common';
import { QueryFailedError } from 'typeorm';
import { AppError } from './app-error.js';
import { isDatabaseUnavailable } from './database-unavailable.js';
import { toAppError } from './to-app-error.js';

const withCode = (code: string) => Object.assign(new Error('something'), { code });

describe('isDatabaseUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EAI_AGAIN', 'ENETUNREACH'])('should return true for %s', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it.each([
    ['08006', 'connection_failure'],
    ['25006', 'read_only_sql_transaction'],
    ['25P03', 'idle_in_transaction_session_timeout'],
    ['25P04', 'transaction_timeout'],
    ['28P01', 'invalid_password'],
    ['3D000', 'invalid_catalog_name'],
    ['40001', 'serialization_failure'],
    ['40003', 'statement_completion_unknown'],
    ['40P01', 'deadlock_detected'],
    ['53100', 'disk_full'],
    ['53200', 'out_of_memory'],
    ['53300', 'too_many_connections'],
    ['55000', 'object_not_in_prerequisite_state'],
    ['55P03', 'lock_not_available'],
    ['57014', 'query_canceled'],
    ['57P01', 'admin_shutdown'],
    ['57P03', 'cannot_connect_now'],
    ['57P05', 'idle_session_timeout'],
    ['58030', 'io_error'],
  ])('should return true for SQLSTATE %s (%s)', (code) => {
    expect(isDatabaseUnavailable(withCode(code))).toBe(true);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'Client has encountered a connection error and is not queryable',
    'Query runner already released. Cannot run queries anymore.',
    'Database connection provided by a query runner was already released, cannot continue to use its querying methods anymore.',
    'Query read timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
  ])('should return true for "%s"', (message) => {
    expect(isDatabaseUnavailable(new Error(message))).toBe(true);
  });

  it.each(['23505', '25P02', '42P01', '22P02', '40002', 'XX000', 'ERR_ASSERTION'])(
    'should return false for %s, which is a bug',
    (code) => {
      expect(isDatabaseUnavailable(withCode(code))).toBe(false);
    },
  );
});

describe('toAppError', () => {
  it('should return errors of the catalog unchanged', () => {
    const error = new AppError('not-found', 'Key not found.');
    expect(toAppError(error)).toBe(error);
  });

  it.each([
    [400, 'malformed-request'],
    [403, 'route-not-found'],
    [404, 'route-not-found'],
    [413, 'payload-too-large'],
    [415, 'unsupported-media-type'],
    [418, 'internal-error'],
  ])('should convert framework error %i to %s', (status, code) => {
    expect(toAppError(new HttpException('framework message', status)).code).toBe(code);
  });

  it.each(['57P01', '25006', '53100', '55P03'])('should convert a failed query to 503 if the cause is %s', (code) => {
    const error = toAppError(new QueryFailedError('select 1', [], withCode(code)));
    expect(error).toMatchObject({ code: 'database-unavailable', status: 503, headers: { 'retry-after': '1' } });
  });

  it.each([new Error('secret detail'), 'secret detail', undefined, null, new BadRequestException('secret detail')])(
    'should not expose the message of %p',
    (thrown) => {
      expect(toAppError(thrown).message).not.toContain('secret');
    },
  );
});
