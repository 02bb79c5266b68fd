// The Lua scripts of a store in Redis. Redis runs a script as one step. Each uses only keys that it gets, of one bucket (redis-keys.ts).
import { createHash } from 'node:crypto';
import type { RedisScript } from './redis-client.ts';

function createScript(source: string): RedisScript {
  return { source, sha1: createHash('sha1').update(source).digest('hex') };
}

/**
 * Replaces an entry if it is still the one that the caller has read (compare-and-set), and ends the lease of its owner. An owner without
 * its lease changes nothing: another one has fetched the origin since. It does store a first entry: then the server has lost what it had,
 * the lease included, and there is nothing newer.
 *
 * Keys: names, sizes, good, failing, entry, lease. The first command that writes is one that Redis refuses without memory: so it refuses
 * the whole change. All keys of a bucket expire after the time for which it was not used.
 */
export const PUT_ENTRY: RedisScript = createScript(`
local names, sizes, good, failing, entry, lease = unpack(KEYS)
local origin, expected, owner, version, response, outage, body, events, bytes, now, isFailing, lifetime = unpack(ARGV)
local stored = redis.call('HMGET', entry, 'version', 'response', 'outage', 'body', 'events', 'usedAt')
local current = stored[1] or ''
if owner ~= '' then
  local holder = redis.call('GET', lease)
  if holder ~= owner and (holder or current ~= '') then return {'lost', unpack(stored, 1, 6)} end
end
if current ~= expected then return {'changed', unpack(stored, 1, 6)} end
redis.call('HSET', entry, 'version', version, 'response', response, 'outage', outage, 'body', body,
  'events', events, 'bytes', bytes, 'usedAt', now)
if owner ~= '' then redis.call('DEL', lease) end
local before = tonumber(redis.call('HGET', sizes, origin) or '0')
redis.call('ZREM', good, origin)
local wasFailing = redis.call('ZREM', failing, origin)
redis.call('ZADD', isFailing == '1' and failing or good, now, origin)
redis.call('ZADD', names, 0, origin)
redis.call('HSET', sizes, origin, bytes)
redis.call('HINCRBY', sizes, 'bytes', bytes - before)
redis.call('HINCRBY', sizes, 'failingBytes', isFailing * bytes - wasFailing * before)
for index = 1, 5 do redis.call('PEXPIRE', KEYS[index], lifetime) end
return {'stored'}`);

/** Records that an entry was used. Keys: names, sizes, good, failing, entry. */
export const RECORD_USE: RedisScript = createScript(`
local names, sizes, good, failing, entry = unpack(KEYS)
local origin, now, lifetime = unpack(ARGV)
if redis.call('EXISTS', entry) == 0 then return 0 end
redis.call('HSET', entry, 'usedAt', now)
redis.call('ZADD', good, 'XX', now, origin)
redis.call('ZADD', failing, 'XX', now, origin)
for index = 1, 5 do redis.call('PEXPIRE', KEYS[index], lifetime) end
return 1`);

/**
 * Removes entries, except those that were used later than the first argument. Returns the number and the bytes of those that it removed.
 * Keys: names, sizes, good, failing, and the entries of the origins, which are the other arguments.
 */
export const REMOVE_ENTRIES: RedisScript = createScript(`
local names, sizes, good, failing = unpack(KEYS, 1, 4)
local usedUntil = tonumber(ARGV[1])
local count, sum = 0, 0
for index = 2, #ARGV do
  local origin = ARGV[index]
  local usedAt = redis.call('ZSCORE', good, origin) or redis.call('ZSCORE', failing, origin)
  if not usedAt or tonumber(usedAt) <= usedUntil then
    local removed = redis.call('DEL', KEYS[index + 3])
    redis.call('ZREM', good, origin)
    local wasFailing = redis.call('ZREM', failing, origin)
    local bytes = tonumber(redis.call('HGET', sizes, origin) or '0')
    redis.call('ZREM', names, origin)
    redis.call('HDEL', sizes, origin)
    redis.call('HINCRBY', sizes, 'bytes', 0 - bytes)
    redis.call('HINCRBY', sizes, 'failingBytes', 0 - wasFailing * bytes)
    if usedAt or removed == 1 then count = count + 1 end
    sum = sum + bytes
  end
end
return {count, sum}`);

/** Returns origins of a bucket by their last use: origin, time and bytes of each. Keys: one of good and failing, sizes. */
export const FIND_LEAST_USED: RedisScript = createScript(`
local found = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'WITHSCORES', 'LIMIT', 0, ARGV[2])
local entries = {}
for index = 1, #found, 2 do
  entries[#entries + 1] = found[index]
  entries[#entries + 1] = found[index + 1]
  entries[#entries + 1] = redis.call('HGET', KEYS[2], found[index]) or '0'
end
return entries`);

/** Returns the totals of a bucket: origins, bytes, origins in an outage, and their bytes. Keys: good, failing, sizes. */
export const READ_TOTALS: RedisScript = createScript(`
local good, failing = redis.call('ZCARD', KEYS[1]), redis.call('ZCARD', KEYS[2])
local sums = redis.call('HMGET', KEYS[3], 'bytes', 'failingBytes')
return {good + failing, tonumber(sums[1] or '0'), failing, tonumber(sums[2] or '0')}`);

/**
 * Takes a lease that is free, or renews the owner's. Key: the lease. Arguments: owner, milliseconds, and for how long its owner stays known
 * after it has expired: an owner that was paused may store what it has fetched if no other one took the lease. A lease of more than the
 * longest time, or without an end, is not one of a store.
 */
export const TAKE_LEASE: RedisScript = createScript(`
local holder, left, known = redis.call('GET', KEYS[1]), redis.call('PTTL', KEYS[1]), tonumber(ARGV[3])
if holder and holder ~= ARGV[1] and left > known and left <= 2 * known then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2] + ARGV[3])
return 1`);

/** Renews a lease if its owner still has it. Key: the lease. Arguments: owner, milliseconds with the time after it has expired. */
export const RENEW_LEASE: RedisScript = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('PEXPIRE', KEYS[1], ARGV[2])`);

/** Releases a lease if its owner still has it. Key: the lease. */
export const RELEASE_LEASE: RedisScript = createScript(`
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])`);
