#!/usr/bin/env bash
# Makes the certificates of the network tests again. They are checked in, so that a test run needs neither openssl nor
# one more package. The authority's key is thrown away: nobody can sign anything more with it. key.pem is no secret.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

touch "$work/index.txt"
cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = own
[own]
new_certs_dir = $work
database = $work/index.txt
unique_subject = no
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[service]
subjectAltName = DNS:konnect.example.test, DNS:localhost, IP:127.0.0.1
[proxy]
subjectAltName = DNS:localhost, IP:127.0.0.1
[other-host]
subjectAltName = DNS:elsewhere.example.test
[expired]
subjectAltName = DNS:konnect.example.test
[not-yet-valid]
subjectAltName = DNS:konnect.example.test
[other-purpose]
subjectAltName = DNS:konnect.example.test, DNS:localhost
extendedKeyUsage = clientAuth
[weak]
subjectAltName = DNS:konnect.example.test, DNS:localhost
[region]
subjectAltName = DNS:eu.api.konghq.com
CNF

# sign <name> <from> <to> [option of openssl ca...]
sign() {
  local name=$1 from=$2 to=$3 key=${key:-key.pem}
  shift 3
  openssl req -new -key "$key" -subj "/CN=$name of the network tests" -out "$work/$name.csr"
  openssl ca -batch -notext -config "$work/ca.cnf" -extensions "$name" -keyfile "$work/authority.key" \
    -in "$work/$name.csr" -startdate "${from}0101000000Z" -enddate "${to}0101000000Z" -out "$name.pem" "$@" 2>/dev/null
}

for key in "$work/authority.key" key.pem; do
  openssl ecparam -name prime256v1 -genkey -noout -out "$key"
done
key=$work/authority.key sign authority 2020 2125 -selfsign
sign service 2020 2125 -cert authority.pem
sign proxy 2020 2125 -cert authority.pem
sign other-host 2020 2125 -cert authority.pem
sign expired 2020 2021 -cert authority.pem
sign not-yet-valid 2120 2125 -cert authority.pem
sign other-purpose 2020 2125 -cert authority.pem
sign weak 2020 2125 -cert authority.pem -md sha1
# No authority signs this one, so that whoever trusts the authority of these tests does not trust it for a real address.
sign region 2020 2125 -selfsign -keyfile key.pem
