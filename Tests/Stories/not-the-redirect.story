# Addresses that only look like the redirect

The answer is taken from one address and its aliases, compared byte by byte up to the first `?` or `#`. Everything else
is a page on the way. If the list ends there, nobody signed in.

  $ printf '%s\n' 'https://oauth.vk.com/authorize?x' 'https://login.vk.com/?act=login' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]
  $ tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations /dev/null
  {"error":"cancelled","error_description":"*","origin":"user","retryable":false} (glob)
  ! tokentry: error: * (glob)
  [3]

Each of these would give the token to somebody else, or take one from there.

  $ cat >hostile <<'END'
  > https://oauth.vk.com.evil.example/blank.html
  > https://evil.example/blank.html
  > https://xoauth.vk.com/blank.html
  > https://vk.com/blank.html
  > https://oauth.vk.com./blank.html
  > https://oauth.vk.com/blank.htmlx
  > https://oauth.vk.com/blank.html.evil
  > https://oauth.vk.com/blank.html/
  > https://oauth.vk.com/blank.html;v=1
  > https://oauth.vk.com/blank.html%23
  > https://oauth.vk.com/blank.html%3Fx
  > https://oauth.vk.com/blank.html%00
  > https://oauth.vk.com/blank.htm
  > https://oauth.vk.com/
  > https://oauth.vk.com
  > https://oauth.vk.com//blank.html
  > https://oauth.vk.com/x/../blank.html
  > https://oauth.vk.com/./blank.html
  > https://oauth.vk.com/%2e/blank.html
  > https://oauth.vk.com/blank.html/../evil
  > https://oauth.vk.com/%62lank.html
  > https://oauth.vk.com/blank%2ehtml
  > https://oauth.vk.com/BLANK.html
  > https://oauth.vk.com/evil/blank.html
  > https://oauth.vk.com@evil.example/blank.html
  > https://user@oauth.vk.com/blank.html
  > https://user:pw@oauth.vk.com/blank.html
  > https://oauth.vk.com:8443/blank.html
  > https://oauth.vk.com:443/blank.html
  > https://oauth.vk.com:/blank.html
  > HTTPS://OAUTH.VK.COM/blank.html
  > http://oauth.vk.com/blank.html
  > ftp://oauth.vk.com/blank.html
  > https:/oauth.vk.com/blank.html
  > https:oauth.vk.com/blank.html
  > https:///oauth.vk.com/blank.html
  > https:\\oauth.vk.com\blank.html
  > https://evil.example\@oauth.vk.com/blank.html
  > https://oauth.vk.com\@evil.example/blank.html
  > https://oauth%2evk.com/blank.html
  > https://оauth.vk.com/blank.html
  > https://oauth。vk.com/blank.html
  > https://oauth.vk.com/blank.html 
  >  https://oauth.vk.com/blank.html
  > view-source:https://oauth.vk.com/blank.html
  > javascript:location='https://oauth.vk.com/blank.html'
  > data:text/html,https://oauth.vk.com/blank.html
  > file:///blank.html
  > about:blank
  > //oauth.vk.com/blank.html
  > /blank.html
  > blank.html
  > https://evil.example/https://oauth.vk.com/blank.html
  > https://evil.example/?https://oauth.vk.com/blank.html
  > https://evil.example/#https://oauth.vk.com/blank.html
  > END
  $ while IFS= read -r address; do
  >   printf '%s#access_token=EVIL&expires_in=86400&user_id=1&state=S\n' "$address" |
  >     tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - >out 2>err
  >   status=$?
  >   [ "$status" = 3 ] && grep -q '^{"error":"cancelled",' out || echo "$status $address: $(cat out)"
  > done <hostile

The login goes on after all of them.

  $ { sed 's/$/#access_token=EVIL\&expires_in=86400\&user_id=1\&state=S/' hostile
  >   printf '\n'
  >   printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S'
  > } | tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

The first answer counts; what comes after it is not looked at.

  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' \
  >     'https://oauth.vk.com/blank.html#access_token=LATE&expires_in=0&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}
  $ printf '%s\n' 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=X' \
  >     'https://oauth.vk.com/blank.html#access_token=LATE&expires_in=0&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations - 2>/dev/null
  {"error":"state_mismatch",* (glob)
  [6]

The last line needs no line feed.

  $ printf 'https://oauth.vk.com/blank.html#access_token=T&expires_in=0&user_id=1&state=S' |
  >   tokentry login --provider vk --client-id 753197 --state S --headless-test --navigations -
  {"access_token":"T","token_type":"Bearer","user_id":"1","checks":{"redirect":"exact","state":"verified"}}

A list that cannot be read is the caller's mistake.

  $ tokentry login --provider vk --client-id 753197 --headless-test --navigations none.txt 2>err
  {"error":"invalid_*","error_description":"*","origin":"caller","retryable":false} (glob)
  [2]
  $ head -n 1 err
  tokentry: error: *none.txt* (glob)
